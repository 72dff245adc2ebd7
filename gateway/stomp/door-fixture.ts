import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import { Registry } from 'prom-client'
import type { DeviceQueue } from '../../schema/device-message.ts'
import type { IngestItem } from '../../schema/ingest-entry.ts'
import type { DeviceAuthenticator } from '../../subgraphs/shared/device-directory.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import type { RightsChange } from '../../subgraphs/shared/permissions/rights-watch.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { createStompDoor, type StompDoorOptions } from './door.ts'
import { DEFAULT_DOOR_LIMITS, type DoorLimits } from './door-limits.ts'
import type { DoorMessage, LogPressure, PresenceRegistry } from './door-ports.ts'

/** A device that the fixture's authenticator knows. */
export interface FixtureDevice {
  readonly deviceId: string
  readonly credential: string
  readonly token: string
}

/** What was told to the presence registry, in order. */
export type PresenceNote =
  | { readonly kind: 'connect'; readonly deviceId: string; readonly toleranceMs: number }
  | {
      readonly kind: 'disconnect'
      readonly deviceId: string
      readonly generation: number
      readonly at: number
    }
  | { readonly kind: 'suspend' | 'resume' }

/**
 * Starts a door on a real HTTP server, its ports held in memory, for tests: what it appends is in `items`, and
 * `holdAppends` and `failAppends` say what becomes of appends from then on.
 */
export async function startDoor({
  limits,
  ...overrides
}: Partial<Omit<StompDoorOptions, 'limits'>> & { limits?: Partial<DoorLimits> } = {}) {
  const spaceId = newId()
  const devices = new Map<string, FixtureDevice>()
  const items: IngestItem[] = []
  const notes: PresenceNote[] = []
  const lines: Record<string, unknown>[] = []
  const generations = new Map<string, number>()
  const touches = new Map<string, number>()
  const watchers = new Set<() => void>()
  const metrics = new Registry()
  const rightsListeners = new Set<(change: RightsChange) => void>()
  let deliver: (message: DoorMessage) => void = () => {}
  let isHigh = false
  let notePressure: (isHigh: boolean) => void = () => {}
  let fails = false
  let hold: Promise<void> | undefined
  let release: () => void = () => {}

  const changed = () => {
    for (const watcher of watchers) watcher()
  }
  const identify = (device: FixtureDevice | undefined) =>
    device === undefined
      ? null
      : {
          ...{ deviceId: device.deviceId, spaceId, expiresAt: null },
          proof: { kind: 'credential' as const, digest: device.credential },
        }
  const authenticator: DeviceAuthenticator = {
    async byCredential(deviceId, credential) {
      const device = devices.get(deviceId)
      return identify(device?.credential === credential ? device : undefined)
    },
    async byToken(token) {
      return identify([...devices.values()].find(device => device.token === token))
    },
    async findEnded(proven) {
      return proven.filter(({ deviceId }) => !devices.has(deviceId))
    },
  }
  const note = (entry: PresenceNote) => {
    notes.push(entry)
    changed()
  }
  const presence: PresenceRegistry = {
    async connect({ deviceId }, _at, toleranceMs) {
      const generation = (generations.get(deviceId) ?? 0) + 1
      generations.set(deviceId, generation)
      note({ kind: 'connect', deviceId, toleranceMs })
      return { generation }
    },
    touch: (deviceId, _generation, at) => void touches.set(deviceId, at),
    async disconnect(deviceId, generation, at) {
      note({ kind: 'disconnect', deviceId, generation, at })
    },
    suspend: () => note({ kind: 'suspend' }),
    resume: () => note({ kind: 'resume' }),
  }
  const pressure: LogPressure = {
    get isHigh() {
      return isHigh
    },
    onChange(listener) {
      notePressure = listener
    },
  }
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })

  const door = createStompDoor({
    authenticator,
    presence,
    pressure,
    metrics,
    appender: {
      async append(appended) {
        await hold
        if (fails) throw new AppError('UNAVAILABLE', 'The ingest log cannot be reached.')
        items.push(...appended)
        changed()
      },
    },
    mailbox: {
      onMessage(listener) {
        deliver = listener
      },
    },
    watch: {
      onChange(listener) {
        rightsListeners.add(listener)
        return () => void rightsListeners.delete(listener)
      },
    },
    logger: createLogger({ level: 'info', role: 'test', destination }),
    ...overrides,
    limits: { ...DEFAULT_DOOR_LIMITS, maxErrorLinesPerSecond: 10_000, ...limits },
  })
  const server = createServer((request, response) => door.handleRequest(request, response))
  server.on('upgrade', (request, socket, head) => door.handleUpgrade(request, socket, head))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('Expected a TCP address')

  return {
    ...{ door, items, notes, lines, touches, metrics, spaceId },
    url: `http://127.0.0.1:${address.port}/stomp`,
    wsUrl: `ws://127.0.0.1:${address.port}/stomp/websocket`,

    /** Registers one more device, or one that another door of the test knows. */
    addDevice(known?: FixtureDevice): FixtureDevice {
      const device = known ?? {
        deviceId: newId(),
        credential: `credential:${newId()}`,
        token: `token.${newId()}`,
      }
      devices.set(device.deviceId, device)
      return device
    },
    /** Lets the authenticator know the device no more, and tells nobody. */
    removeDevice({ deviceId }: FixtureDevice) {
      devices.delete(deviceId)
    },
    /** Tells the door of a change of rights. */
    tell(change: RightsChange) {
      for (const listener of rightsListeners) listener(change)
    },
    setPressure(high: boolean) {
      isHigh = high
      notePressure(high)
    },
    failAppends(shouldFail: boolean) {
      fails = shouldFail
    },
    holdAppends() {
      hold = new Promise(resolve => {
        release = resolve
      })
    },
    releaseAppends() {
      release()
      hold = undefined
    },
    deliver: (message: DoorMessage) => deliver(message),
    sendTo(deviceId: string, queue: DeviceQueue, body: unknown, correlationId?: string) {
      deliver({ kind: 'queue', deviceId, queue, body, correlationId })
    },
    /** Resolves once `isTrue` holds, looked at whenever something is appended or noted. */
    async until(isTrue: () => boolean): Promise<void> {
      if (isTrue()) return
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`never became true: ${isTrue}`)), 8_000)
        const watcher = () => {
          if (!isTrue()) return
          clearTimeout(late)
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
      })
    },
    async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
      const values = (await metrics.getSingleMetric(name)?.get())?.values ?? []
      const wanted = Object.entries(labels)
      return values
        .filter(value => wanted.every(([key, label]) => value.labels[key] === label))
        .reduce((sum, { value }) => sum + value, 0)
    },
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A started door of a test. */
export type DoorFixture = Awaited<ReturnType<typeof startDoor>>
