import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asRequestError, type RequestError } from './request-error.ts'
import { request } from './session.ts'

/** A query and what it has answered. */
export interface QueryState<Data> {
  /** The newest answer; that of other variables stays until theirs is there. */
  readonly data: Data | undefined
  /** Why there is no answer to the last request, or not all of it. */
  readonly error: RequestError | undefined
  readonly isLoading: boolean
  /** Asks again; resolves when the answer is there or failed. */
  reload(): Promise<void>
  /** Changes the answer in place, for what events tell. */
  update(change: (data: Data) => Data): void
}

/**
 * Asks a query, again whenever its variables change (compared as JSON), and never while they are null. With `isManual` it
 * first waits for `reload`, which `useLive` calls.
 */
export function useQuery<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  { isManual = false }: { isManual?: boolean } = {},
): QueryState<Data> {
  const [state, setState] = useState<{ data?: Data; error?: RequestError | undefined; isLoading: boolean }>({
    isLoading: variables !== null,
  })
  const key = variables === null ? null : JSON.stringify(variables)
  const running = useRef<AbortController | null>(null)

  const reload = useCallback(async () => {
    running.current?.abort()
    if (key === null) return
    const controller = new AbortController()
    running.current = controller
    setState(before => ({ ...before, isLoading: true }))
    try {
      const { data, problem } = await request(document, JSON.parse(key), { signal: controller.signal })
      setState({ data, error: problem ?? undefined, isLoading: false })
    } catch (error) {
      if (controller.signal.aborted) return
      setState(before => ({ ...before, error: asRequestError(error), isLoading: false }))
    }
  }, [document, key])

  const isFirst = useRef(true)
  useEffect(() => {
    if (!(isManual && isFirst.current)) void reload()
    isFirst.current = false
    return () => running.current?.abort()
  }, [reload, isManual])

  const update = useCallback((change: (data: Data) => Data) => {
    setState(before => (before.data === undefined ? before : { ...before, data: change(before.data) }))
  }, [])

  return { data: state.data, error: state.error, isLoading: state.isLoading, reload, update }
}
