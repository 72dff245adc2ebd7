import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { batchPerFrame } from '../../graphql/batch-per-frame.ts'
import { followLive } from '../../graphql/live.ts'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import {
  AnomaliesDocument,
  AnomalyNowDocument,
  AnomalyRaisedDocument,
  type AnomalyRowFragment,
  AnomalyUpdatedDocument,
} from './anomalies.generated.ts'
import { compareAnomalies, insertInOrder } from './anomaly-order.ts'
import { type AnomalyQuery, matchesQuery, toFilter, toLiveFilter } from './anomaly-query.ts'

/** An anomaly of the list. */
export type AnomalyRow = AnomalyRowFragment

/** The anomalies of a space that are looked at, kept as they are now. Rows never move by themselves. */
export interface AnomalyStore {
  readonly rows: ReadonlySignal<readonly AnomalyRow[]>
  /** How many new ones are kept back; see hold. */
  readonly waitingCount: ReadonlySignal<number>
  /** How many there are in all, as far as is known; `isAtLeast` where the product stopped counting. */
  readonly total: ReadonlySignal<{ count: number; isAtLeast: boolean } | undefined>
  readonly hasMore: ReadonlySignal<boolean>
  readonly isLoaded: ReadonlySignal<boolean>
  readonly isLoading: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<RequestError | undefined>
  /** Whether a row is no longer one of those that are looked at: it stays until `tidy`. */
  isPast(row: AnomalyRow): boolean
  find(id: string): AnomalyRow | undefined
  /** Takes a state of an anomaly; an older one than that which is known is left alone. */
  take(row: AnomalyRow): void
  /** Whether new ones wait until showWaiting instead of moving what is looked at. */
  hold(isHeld: boolean): void
  showWaiting(): void
  /** Lets go of the rows that are past. */
  tidy(): void
  load(): Promise<void>
  loadMore(): Promise<void>
  close(): void
}

const PAGE = 50

/** New ones that wait are counted to this many; with more the list is to be loaded anew. */
const MAX_WAITING = 1_000

/** At most this many are loaded anew after events were missed. */
const MAX_RELOADED = 500

/** Both subscriptions begin together; one load serves them. */
const GATHER_MS = 30

/** Without a connection by then the list is loaded all the same. */
const LOAD_ANYWAY_MS = 1_000

/** Loads the anomalies of a space that match, and follows them until it is closed. */
export function openAnomalyStore(spaceId: string, query: AnomalyQuery): AnomalyStore {
  const rows = signal<readonly AnomalyRow[]>([])
  const waiting = signal<ReadonlyMap<string, AnomalyRow>>(new Map())
  const total = signal<{ count: number; isAtLeast: boolean }>()
  const endCursor = signal<string | null>(null)
  const isLoaded = signal(false)
  const isLoading = signal(false)
  const error = signal<RequestError>()
  let isHeld = false
  let loading: AbortController | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  /** What events tell while the list is being loaded: the answer may be from before. */
  let meanwhile: AnomalyRow[] = []

  const frame = batchPerFrame<AnomalyRow>(events => {
    if (loading !== undefined) meanwhile.push(...events)
    if (isLoaded.peek()) apply(events)
  })

  function apply(events: readonly AnomalyRow[]): void {
    const known = new Map(rows.peek().map((row, index) => [row.id, index]))
    const next = [...rows.peek()]
    const held = new Map(waiting.peek())
    const added = new Map<string, AnomalyRow>()
    let difference = 0
    for (const event of events) {
      const index = known.get(event.id)
      const before = index === undefined ? (held.get(event.id) ?? added.get(event.id)) : next[index]
      if (before !== undefined && before.version > event.version) continue
      const isWanted = matchesQuery(query, event, Date.now())
      const wasWanted = before !== undefined && matchesQuery(query, before, Date.now())
      if (index !== undefined) {
        next[index] = event
        difference += Number(isWanted) - Number(wasWanted)
      } else if (!isWanted) {
        if (wasWanted) difference--
        held.delete(event.id)
        added.delete(event.id)
      } else {
        if (before === undefined && event.version <= 1) difference++
        if (!isWithinLoaded(event)) continue
        if (isHeld) held.set(event.id, event)
        else added.set(event.id, event)
      }
    }
    while (held.size > MAX_WAITING) held.delete(held.keys().next().value ?? '')
    batch(() => {
      waiting.value = held
      rows.value = insertInOrder(next, [...added.values()], query.order)
      const counted = total.peek()
      if (counted !== undefined && difference !== 0)
        total.value = { ...counted, count: Math.max(0, counted.count + difference) }
    })
  }

  /** What comes after the last row that is loaded comes with its page. */
  function isWithinLoaded(row: AnomalyRow): boolean {
    const last = rows.peek().at(-1)
    return endCursor.peek() === null || last === undefined || compareAnomalies(row, last, query.order) < 0
  }

  async function loadPage(first: number, after: string | null, abort: AbortSignal) {
    const variables = { spaceId, filter: toFilter(query, Date.now()), orderBy: query.order, first, after }
    const { data } = await request(AnomaliesDocument, variables, { signal: abort })
    return data.anomalies
  }

  /** Runs a load of which there is one at a time: the newest. */
  async function run(work: (abort: AbortSignal) => Promise<void>): Promise<void> {
    loading?.abort()
    const controller = new AbortController()
    loading = controller
    meanwhile = []
    isLoading.value = true
    try {
      await work(controller.signal)
      error.value = undefined
    } catch (reason) {
      if (!controller.signal.aborted) error.value = asRequestError(reason)
    } finally {
      if (loading === controller) {
        loading = undefined
        isLoading.value = false
      }
    }
  }

  const load = () =>
    run(async abort => {
      const page = await loadPage(PAGE, null, abort)
      batch(() => {
        rows.value = page.nodes
        waiting.value = new Map()
        takePage(page)
        isLoaded.value = true
        apply(meanwhile)
      })
    })

  function takePage(page: Awaited<ReturnType<typeof loadPage>>): void {
    endCursor.value = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    total.value = {
      count: page.totalCount ?? page.nodes.length,
      isAtLeast: page.totalCountIsAtLeast ?? false,
    }
  }

  /** After events were missed: rows take what is true now where they stand, and what is new is as if raised now. */
  const catchUp = () =>
    run(async abort => {
      const wanted = Math.min(MAX_RELOADED, Math.max(PAGE, rows.peek().length))
      const found: AnomalyRow[] = []
      let page = await loadPage(Math.min(100, wanted), null, abort)
      found.push(...page.nodes)
      while (found.length < wanted && page.pageInfo.hasNextPage) {
        page = await loadPage(Math.min(100, wanted - found.length), page.pageInfo.endCursor, abort)
        found.push(...page.nodes)
      }
      const ids = new Set(found.map(({ id }) => id))
      const missing = rows
        .peek()
        .filter(({ id }) => !ids.has(id))
        .slice(0, PAGE)
      const now = await Promise.all(
        missing.map(({ id }) => request(AnomalyNowDocument, { id }, { signal: abort })),
      )
      batch(() => {
        apply([...found, ...now.flatMap(({ data }) => data.anomaly ?? []), ...meanwhile])
        takePage(page)
      })
    })

  const loadMore = async () => {
    const after = endCursor.peek()
    if (after === null || loading !== undefined) return
    await run(async abort => {
      const page = await loadPage(PAGE, after, abort)
      batch(() => {
        const known = new Set(rows.peek().map(({ id }) => id))
        rows.value = [...rows.peek(), ...page.nodes.filter(({ id }) => !known.has(id))]
        takePage(page)
        apply(meanwhile)
      })
    })
  }

  const onLoad = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      clearTimeout(anyway)
      void (isLoaded.peek() ? catchUp() : load())
    }, GATHER_MS)
  }
  const onError = (reason: RequestError) => {
    error.value = reason
  }
  const variables = { spaceId, filter: toLiveFilter(query) }
  const followers = [
    followLive(AnomalyRaisedDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ anomalyRaised }) => frame.add(anomalyRaised),
    }),
    followLive(AnomalyUpdatedDocument, variables, {
      ...{ onLoad, onError },
      onEvent: ({ anomalyUpdated }) => frame.add(anomalyUpdated),
    }),
  ]
  const anyway = setTimeout(onLoad, LOAD_ANYWAY_MS)

  function showWaiting(): void {
    batch(() => {
      rows.value = insertInOrder(rows.peek(), [...waiting.peek().values()], query.order)
      waiting.value = new Map()
    })
  }

  return {
    ...{ rows, total, isLoaded, isLoading, error, load, loadMore, showWaiting },
    waitingCount: computed(() => waiting.value.size),
    hasMore: computed(() => endCursor.value !== null),
    isPast: row => !matchesQuery(query, row, Date.now()),
    find: id => rows.peek().find(row => row.id === id),
    take: row => apply([row]),
    hold(next) {
      isHeld = next
    },
    tidy() {
      const kept = rows.peek().filter(row => matchesQuery(query, row, Date.now()))
      if (kept.length < rows.peek().length) rows.value = kept
    },
    close() {
      for (const unfollow of followers) unfollow()
      clearTimeout(anyway)
      clearTimeout(gathering)
      frame.drop()
      loading?.abort()
    },
  }
}
