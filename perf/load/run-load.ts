import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FieldPlan } from '../field/field-protocol.ts'
import type { CpuPins } from '../runner/cpu-pins.ts'
import { type MachineUse, watchMachine } from '../runner/machine.ts'
import { ARTILLERY, installPerfPackages } from '../runner/perf-packages.ts'
import { makeScratchFolder } from '../runner/scratch-folder.ts'
import { startCameras } from './cameras.ts'
import type { Deliveries } from './delivery-ledger.ts'
import { type ArtilleryCounts, type Field, openField } from './field.ts'
import type { FieldResult } from './field-control.ts'
import { listKeptEvents } from './kept-events.ts'
import { type MediaFigures, type MediaViewers, startMediaViewers } from './media-viewers.ts'
import { leaveProductOut } from './product-share.ts'
import type { ProductUnderTest } from './product-under-test.ts'
import { startQueryGenerator } from './query-generator.ts'
import type { QueryLoadResult } from './query-load.ts'
import { makeOperations } from './query-operations.ts'
import { signInReaders } from './readers.ts'
import { type ResourceSample, watchResources } from './resource-watch.ts'
import { type Session, signIn } from './site-api.ts'
import { durationOf, QUERY_KINDS, type QueryKind, type Workload } from './workload.ts'
import { MAX_PEOPLE } from './world/bootstrap.ts'
import type { WorldState } from './world/world-state.ts'

/** What a run is made with. */
export interface LoadOptions {
  readonly root: string
  readonly product: ProductUnderTest
  readonly world: WorldState
  readonly workload: Workload
  readonly pins: CpuPins
  /** Viewers who receive real video in a browser. */
  readonly mediaViewers: number
  readonly progress: (message: string) => void
}

/** All that a run has brought. */
export interface LoadResult {
  readonly workload: Workload
  readonly startedAt: number
  readonly queries: QueryLoadResult | null
  readonly field: FieldResult | null
  readonly deliveries: Deliveries | null
  readonly artillery: ArtilleryCounts
  readonly resources: readonly ResourceSample[]
  /** Null where the product cannot be told from others. */
  readonly machineUse: MachineUse | null
  /** Why viewers did no signaling; null when they did. */
  readonly noSignaling: string | null
  /** Null without viewers that receive video. */
  readonly media: MediaFigures | null
}

const CAMERAS = 2
const STAY_MS = 8_000
const AWAY_MS = 12_000

/** What was sent last may take this long to come everywhere. */
const GRACE_MS = 30_000

/** From everybody being there to the first message. */
const LEAD_MS = 1_000
const PROGRESS_INTERVAL_MS = 15_000

/** Runs a workload once, all of it open-loop, and accounts for every event. Whatever it has started has ended by then. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { root, product, world, workload, pins, progress } = options
  const { url } = product
  const spaceId = world.spaceId ?? ''
  const hasField = workload.observers > 0
  const hasQueries = workload.queryRate > 0
  if (hasField) await installPerfPackages(root, ARTILLERY, progress)
  await using folder = await makeScratchFolder('load')
  const begunAt = new Date(Date.now() - 1_000)

  const people = world.people.slice(1, 1 + Math.min(MAX_PEOPLE, Math.max(1, workload.viewers || 10)))
  progress('signing in')
  await using readers = await signInReaders(url, hasQueries ? people : [])
  await using cameras = await startCameras(url, hasField ? world.devices : [], CAMERAS)
  const devices = world.devices.slice(0, workload.devices)
  await using field = hasField ? await openFieldOf(options, folder.path, cameras.deviceIds, people) : null
  await using watchers = await openWatchers(options, cameras.deviceIds, people)
  await using generator = hasQueries ? await startQueryGenerator({ cpu: pins.around }) : null
  generator?.setTokens(readers.tokens())
  readers.onRenewed(() => generator?.setTokens(readers.tokens()))

  const endMachineWatch = watchMachine()
  await using watch = await watchResources(product)
  const packetsBefore = await watchers?.count()
  const startAt = Date.now() + LEAD_MS
  const place = {
    spaceId,
    lineIds: world.lines.map(({ id }) => id),
    deviceIds: devices.map(({ deviceId }) => deviceId),
  }
  const operations = Object.fromEntries(
    QUERY_KINDS.map(kind => [kind, makeOperations(kind, place, startAt)]),
  ) as Record<QueryKind, ReturnType<typeof makeOperations>>
  field?.start(startAt)
  const asking = generator?.run({ url: `${url}/graphql`, workload, operations, startAt }) ?? null
  asking?.catch(() => {})
  const telling = new AbortController()
  const running = Promise.all([asking, tellTime(workload, startAt, progress, telling.signal)])
  running.catch(() => {})
  const ended = field === null ? running : Promise.race([running, field.failed])
  const [queries] = await ended.finally(() => telling.abort())
  await sleep(Math.max(0, startAt + durationOf(workload) - Date.now()))
  const packets = await watchers?.count()
  const artillery = (await field?.stop(GRACE_MS)) ?? {}
  await watch.stop()
  const machineUse = leaveProductOut(endMachineWatch(), product, watch.samples)

  let deliveries: Deliveries | null = null
  if (field !== null) {
    progress('looking for every event in the table')
    deliveries = await accountFor(field, url, world, begunAt)
  }
  return {
    ...{ workload, startedAt: startAt, queries, deliveries, artillery, machineUse },
    field: field?.result ?? null,
    resources: watch.samples,
    media:
      packets === undefined || packetsBefore === undefined
        ? null
        : {
            viewers: options.mediaViewers,
            packets: packets.received - packetsBefore.received,
            // Browsers subtract what came twice.
            lost: Math.max(0, packets.lost - packetsBefore.lost),
          },
    noSignaling: hasField && cameras.deviceIds.length === 0 ? (cameras.missing ?? 'no camera') : null,
  }
}

async function openFieldOf(
  { root, product, world, workload, pins, progress }: LoadOptions,
  dir: string,
  cameras: readonly string[],
  people: WorldState['people'],
): Promise<Field> {
  const { url } = product
  const count = workload.observers + workload.viewers
  const sessions: Session[] = []
  // More than there are people: some of them look from several places.
  for (let i = 0; i < count; i++) {
    const person = people[i % people.length]
    if (person === undefined) throw new Error('The world has no viewers: run bootstrap first.')
    sessions.push(await signIn(url, person))
  }
  const plan: FieldPlan = {
    ...{ url, spaceId: world.spaceId ?? '', sessions, cameras, stayMs: STAY_MS, awayMs: AWAY_MS },
    workload: { stages: workload.stages, devices: workload.devices, intervalsMs: workload.intervalsMs },
    runTag: randomBytes(4).toString('hex'),
    devices: world.devices
      .slice(0, workload.devices)
      .map(({ deviceId, credential }) => ({ deviceId, credential })),
    observers: workload.observers,
  }
  progress(
    `connecting ${plan.devices.length} devices, ${workload.viewers} viewers and ${plan.observers} observers`,
  )
  return await openField({ root, dir, plan, viewers: workload.viewers, cpu: pins.around })
}

async function openWatchers(
  { product, pins, mediaViewers, progress }: LoadOptions,
  cameras: readonly string[],
  people: WorldState['people'],
): Promise<MediaViewers | null> {
  const [deviceId] = cameras
  const [person] = people
  if (mediaViewers === 0 || person === undefined) return null
  if (deviceId === undefined) throw new Error('No camera broadcasts, so nobody can receive video.')
  progress(`letting ${mediaViewers} viewers join with a browser`)
  const { accessToken: token } = await signIn(product.url, person)
  return await startMediaViewers({
    url: product.url,
    token,
    deviceId,
    viewers: mediaViewers,
    cpu: pins.around,
  })
}

/** Looks at everything that the product keeps of the time of the run. */
async function accountFor(field: Field, url: string, world: WorldState, from: Date): Promise<Deliveries> {
  const [owner] = world.people
  if (owner === undefined) throw new Error('The world has no owner.')
  const { accessToken: token } = await signIn(url, owner)
  const { ledger } = field.result
  const range = { from, to: new Date(Date.now() + 60_000) }
  for await (const id of listKeptEvents({ url, token, spaceId: world.spaceId ?? '', ...range }))
    ledger.find(id)
  return ledger.settle({ hasTable: true, beganAt: from.getTime() })
}

async function tellTime(
  workload: Workload,
  startAt: number,
  progress: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let begin = startAt
  for (const { name, durationMs } of workload.stages) {
    if (signal.aborted) return
    progress(`${name}, ${Math.round(durationMs / 1_000)} s`)
    const end = begin + durationMs
    while (Date.now() < end && !signal.aborted) {
      const ms = Math.min(PROGRESS_INTERVAL_MS, Math.max(1, end - Date.now()))
      await sleep(ms, undefined, { signal }).catch(() => {})
      if (end - Date.now() > 1_000 && !signal.aborted)
        progress(`${name}, ${Math.round((end - Date.now()) / 1_000)} s to go`)
    }
    begin = end
  }
}
