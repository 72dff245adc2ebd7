import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asRequestError, type RequestError } from './request-error.ts'
import { request } from './session.ts'

/** A page of a connection. */
export interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly totalCount?: number | null
}

/** A list that is loaded page by page. */
export interface PagesState<Node> {
  readonly nodes: readonly Node[]
  /** Undefined until the first page is there, and where it was not asked for. */
  readonly totalCount: number | undefined
  /** True once the first page has come. */
  readonly isLoaded: boolean
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly error: RequestError | undefined
  /** Loads the next page; nothing happens when there is none, or one is being loaded. */
  loadMore(): Promise<void>
  /** Loads the first page anew and drops the others. */
  reload(): Promise<void>
  /** Changes the list in place, for what events tell. */
  update(change: (nodes: readonly Node[]) => readonly Node[]): void
}

interface State<Node> {
  readonly nodes: readonly Node[]
  readonly page: Page<Node> | undefined
  readonly isLoading: boolean
  readonly error: RequestError | undefined
}

/**
 * Asks a connection page by page; anew when its variables (all but `after`) change, compared as JSON, and never while they
 * are null. With `isManual` it first waits for `reload`, which `useLive` calls. `pick` finds the connection in an answer.
 */
export function usePages<
  Data,
  Variables extends Record<string, unknown> & { after?: string | null | undefined },
  Node,
>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'> | null,
  pick: (data: Data) => Page<Node> | null | undefined,
  { isManual = false }: { isManual?: boolean } = {},
): PagesState<Node> {
  const [state, setState] = useState<State<Node>>({
    ...{ nodes: [], page: undefined, isLoading: variables !== null, error: undefined },
  })
  const key = variables === null ? null : JSON.stringify(variables)
  const running = useRef<AbortController | null>(null)
  const latest = useRef({ pick, state })
  latest.current = { pick, state }

  const load = useCallback(
    async (after: string | null) => {
      running.current?.abort()
      if (key === null) return
      const controller = new AbortController()
      running.current = controller
      setState(before => ({ ...before, isLoading: true }))
      try {
        const asked = { ...JSON.parse(key), after }
        const { data, problem } = await request(document, asked, { signal: controller.signal })
        const page = latest.current.pick(data) ?? undefined
        setState(before => ({
          nodes: after === null ? (page?.nodes ?? []) : [...before.nodes, ...(page?.nodes ?? [])],
          ...{ page, isLoading: false, error: problem ?? undefined },
        }))
      } catch (error) {
        if (!controller.signal.aborted)
          setState(before => ({ ...before, error: asRequestError(error), isLoading: false }))
      } finally {
        if (running.current === controller) running.current = null
      }
    },
    [document, key],
  )

  const reload = useCallback(() => load(null), [load])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!(isManual && isFirst.current)) void reload()
    isFirst.current = false
    return () => running.current?.abort()
  }, [reload, isManual])

  const loadMore = useCallback(async () => {
    const { hasNextPage, endCursor } = latest.current.state.page?.pageInfo ?? {}
    if (hasNextPage && endCursor != null && running.current === null) await load(endCursor)
  }, [load])
  const update = useCallback((change: (nodes: readonly Node[]) => readonly Node[]) => {
    setState(before => ({ ...before, nodes: change(before.nodes) }))
  }, [])

  return {
    nodes: state.nodes,
    totalCount: state.page?.totalCount ?? undefined,
    isLoaded: state.page !== undefined,
    isLoading: state.isLoading,
    hasMore: state.page?.pageInfo.hasNextPage ?? false,
    error: state.error,
    loadMore,
    reload,
    update,
  }
}
