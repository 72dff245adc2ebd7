import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { batchPerFrame } from '../../graphql/batch-per-frame.ts'
import { followLive } from '../../graphql/live.ts'
import { asRequestError, RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import {
  BoardBroadcastsDocument,
  BoardDevicesDocument,
  type BoardDevicesQuery,
  BoardPresenceDocument,
  BoardRaisedDocument,
  BoardStatesDocument,
  BoardTopologyDocument,
  BoardUpdatedDocument,
} from './board.generated.ts'
import {
  type BoardChange,
  type BoardDevice,
  changeDevice,
  toAnomalyChange,
  toBoardDevice,
  toStateChange,
} from './board-device.ts'
import type { BoardTopology } from './board-rows.ts'

/** The floor of a space, kept as it is now. */
export interface BoardStore {
  /** Each device is a signal of its own: what happens to one redraws one tile. */
  device(id: string): Signal<BoardDevice> | undefined
  all(): Iterable<BoardDevice>
  /** Changes soon after changes, whatever device they are about. */
  readonly version: ReadonlySignal<number>
  readonly topology: ReadonlySignal<BoardTopology>
  /** Whether the floor has been loaded once. */
  readonly isLoaded: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<RequestError | undefined>
  load(): Promise<void>
  close(): void
}

/** Without a connection by then the floor is loaded all the same. */
const LOAD_ANYWAY_MS = 1_000

/** Subscriptions begin together; one load serves them all. */
const GATHER_MS = 50

/** Sums and the layout take all devices in: they follow changes this late, so that a storm does not make them anew each frame. */
const COUNT_MS = 200

/** Nothing tells that devices were moved, renamed or removed: the floor is loaded anew this often while it is looked at. */
const REFRESH_MS = 120_000

/** A device that is not known yet makes the floor be loaded, but not more often than this. */
const UNKNOWN_MS = 5_000

/** Loads the floor of a space and follows what happens there, until it is closed. */
export function openBoardStore(spaceId: string): BoardStore {
  const devices = new Map<string, Signal<BoardDevice>>()
  const version = signal(0)
  const topology = signal<BoardTopology>({ lines: [], processes: [] })
  const isLoaded = signal(false)
  const error = signal<RequestError>()
  /** What happens while the floor is being loaded: the answer may be from before. */
  let meanwhile: BoardChange[] | undefined
  let loading: AbortController | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  let counting: ReturnType<typeof setTimeout> | undefined
  let lastLoadAt = 0

  const frame = batchPerFrame<BoardChange>(changes => {
    batch(() => {
      for (const change of changes) apply(change)
    })
    // Tiles have redrawn themselves; what is counted and laid out of all of them follows.
    counting ??= setTimeout(() => {
      counting = undefined
      version.value++
    }, COUNT_MS)
  })

  function apply(change: BoardChange): void {
    const device = devices.get(change.id)
    if (device !== undefined) device.value = changeDevice(device.peek(), change)
    else if (isLoaded.peek()) gather(Math.max(GATHER_MS, lastLoadAt + UNKNOWN_MS - Date.now()))
  }

  function take(change: BoardChange): void {
    meanwhile?.push(change)
    frame.add(change)
  }

  function gather(inMs = GATHER_MS): void {
    gathering ??= setTimeout(() => {
      gathering = undefined
      void load()
    }, inMs)
  }

  async function load(): Promise<void> {
    loading?.abort()
    const controller = new AbortController()
    loading = controller
    const changes: BoardChange[] = []
    meanwhile = changes
    lastLoadAt = Date.now()
    try {
      const [places, found] = await Promise.all([
        loadTopology(spaceId, controller.signal),
        loadDevices(spaceId, controller.signal),
      ])
      batch(() => {
        const ids = new Set(found.map(({ id }) => id))
        for (const id of devices.keys()) if (!ids.has(id)) devices.delete(id)
        for (const device of found) {
          const known = devices.get(device.id)
          if (known === undefined) devices.set(device.id, signal(device))
          else known.value = device
        }
        for (const change of changes) apply(change)
        topology.value = places
        isLoaded.value = true
        error.value = undefined
        version.value++
      })
    } catch (reason) {
      if (!controller.signal.aborted) error.value = asRequestError(reason)
    } finally {
      if (loading === controller) meanwhile = undefined
    }
  }

  const onLoad = () => gather()
  const onError = (reason: RequestError) => {
    error.value = reason
  }
  const variables = { spaceId }
  const followers = [
    followLive(BoardStatesDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ deviceStateChanged: { id, state } }) => take({ id, ...toStateChange(state) }),
    }),
    followLive(BoardPresenceDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ devicePresenceChanged: { id, online, lastSeenAt } }) =>
        take({ id, isOnline: online, lastSeenAt }),
    }),
    followLive(BoardBroadcastsDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ broadcastChanged: { id, broadcast } }) =>
        take({ id, isBroadcasting: broadcast?.status === 'LIVE' || broadcast?.status === 'STALLED' }),
    }),
    followLive(BoardRaisedDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ anomalyRaised: { device } }) =>
        device === null ? gather() : take({ id: device.id, ...toAnomalyChange(device) }),
    }),
    followLive(BoardUpdatedDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ anomalyUpdated: { device } }) =>
        device === null ? gather() : take({ id: device.id, ...toAnomalyChange(device) }),
    }),
  ]
  const anyway = setTimeout(() => {
    if (lastLoadAt === 0) void load()
  }, LOAD_ANYWAY_MS)
  const refresh = setInterval(() => {
    if (!document.hidden) gather()
  }, REFRESH_MS)
  const onVisible = () => {
    if (!document.hidden && Date.now() - lastLoadAt > REFRESH_MS) gather()
  }
  document.addEventListener('visibilitychange', onVisible)

  return {
    device: id => devices.get(id),
    all: () => [...devices.values()].map(device => device.peek()),
    ...{ version, topology, isLoaded, error, load },
    close() {
      for (const unfollow of followers) unfollow()
      clearTimeout(anyway)
      clearTimeout(gathering)
      clearTimeout(counting)
      clearInterval(refresh)
      document.removeEventListener('visibilitychange', onVisible)
      frame.drop()
      loading?.abort()
    },
  }
}

async function loadTopology(spaceId: string, signal: AbortSignal): Promise<BoardTopology> {
  const { data, problem } = await request(BoardTopologyDocument, { spaceId }, { signal })
  if (data.space === null) throw problem ?? new RequestError('NOT_FOUND', 'The space is not there.')
  const { lines, processes } = data.space
  return { lines, processes: processes.map(({ id, name, line }) => ({ id, name, lineId: line?.id ?? null })) }
}

async function loadDevices(spaceId: string, signal: AbortSignal): Promise<BoardDevice[]> {
  const found: BoardDevice[] = []
  let after: string | null = null
  do {
    const page: BoardPage = await loadPage(spaceId, after, signal)
    found.push(...page.nodes.map(toBoardDevice))
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
  } while (after !== null)
  return found
}

type BoardPage = NonNullable<BoardDevicesQuery['space']>['devices']

async function loadPage(spaceId: string, after: string | null, signal: AbortSignal): Promise<BoardPage> {
  const { data, problem } = await request(BoardDevicesDocument, { spaceId, after }, { signal })
  if (data.space === null) throw problem ?? new RequestError('NOT_FOUND', 'The space is not there.')
  return data.space.devices
}
