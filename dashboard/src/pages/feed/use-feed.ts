import { useCallback, useRef, useState } from 'preact/hooks'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { useLive } from '../../graphql/use-live.ts'
import { FeedDocument, FeedItemAddedDocument, type FeedQuery } from './feed.generated.ts'

/** An item of the feed. */
export type FeedItem = FeedQuery['feed']['nodes'][number]

interface State {
  readonly items: readonly FeedItem[]
  /** New ones that are kept back, newest first. */
  readonly waiting: readonly FeedItem[]
  readonly endCursor: string | null
  readonly isLoaded: boolean
  readonly error: RequestError | undefined
}

const PAGE = 50

/** What is read is kept to this many; with more the feed is loaded anew. */
const MAX_WAITING = 500

const EMPTY: State = { items: [], waiting: [], endCursor: null, isLoaded: false, error: undefined }

/** The feed of who is signed in, live. New items wait while `hold(true)`, so that nothing moves that is being read. */
export function useFeed() {
  const [state, setState] = useState(EMPTY)
  const latest = useRef(state)
  latest.current = state
  const isHeld = useRef(false)
  const loading = useRef<AbortController | undefined>(undefined)

  /** Adds items that are not known yet, newest first. */
  function take(news: readonly FeedItem[]): void {
    setState(before => {
      const known = new Set([...before.items, ...before.waiting].map(({ id }) => id))
      const added = news.filter(({ id }) => !known.has(id))
      if (added.length === 0) return before
      const waiting = [...added, ...before.waiting].slice(0, MAX_WAITING)
      return isHeld.current
        ? { ...before, waiting }
        : { ...before, items: [...waiting, ...before.items], waiting: [] }
    })
  }

  const load = useCallback(async (after: string | null, isCatchUp = false) => {
    if (after === null) loading.current?.abort()
    else if (loading.current !== undefined) return
    const controller = new AbortController()
    loading.current = controller
    try {
      const { data } = await request(FeedDocument, { first: PAGE, after }, { signal: controller.signal })
      const { nodes, pageInfo } = data.feed
      const endCursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
      if (isCatchUp) take(nodes)
      setState(before => {
        if (isCatchUp) return { ...before, error: undefined }
        const known = new Set(before.items.map(({ id }) => id))
        const items = after === null ? nodes : [...before.items, ...nodes.filter(({ id }) => !known.has(id))]
        return {
          ...{ items, endCursor, isLoaded: true, error: undefined },
          waiting: after === null ? [] : before.waiting,
        }
      })
    } catch (error) {
      if (!controller.signal.aborted) setState(before => ({ ...before, error: asRequestError(error) }))
    } finally {
      if (loading.current === controller) loading.current = undefined
    }
  }, [])

  useLive(
    FeedItemAddedDocument,
    {},
    {
      onEvent: ({ feedItemAdded }) => take([feedItemAdded]),
      onLoad: () => void load(null, latest.current.isLoaded),
      onError: error => setState(before => ({ ...before, error })),
    },
  )

  function showWaiting(): void {
    setState(before =>
      before.waiting.length === 0
        ? before
        : { ...before, items: [...before.waiting, ...before.items], waiting: [] },
    )
  }

  return {
    ...state,
    hasMore: state.endCursor !== null,
    reload: () => load(null),
    loadMore: () => (state.endCursor === null ? undefined : load(state.endCursor)),
    showWaiting,
    hold(next: boolean) {
      isHeld.current = next
      if (!next) showWaiting()
    },
  }
}
