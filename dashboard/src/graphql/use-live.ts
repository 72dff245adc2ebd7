import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import { followLive, type LiveHandlers } from './live.ts'
import type { RequestError } from './request-error.ts'

/** Without a connection by then, what is shown is loaded all the same. */
const LOAD_ANYWAY_MS = 1_000

/**
 * Follows a subscription while the component is there and the variables are not null; anew when they change (compared as
 * JSON). `onLoad` is called at first, as soon as nothing is missed any more (or after a second without a connection), and
 * then only where events were missed: load there what is shown. Answers why it has ended for good, if it has.
 */
export function useLive<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  handlers: Partial<LiveHandlers<Data>>,
): RequestError | undefined {
  const [error, setError] = useState<RequestError>()
  const latest = useRef(handlers)
  latest.current = handlers
  const key = variables === null ? null : JSON.stringify(variables)

  useEffect(() => {
    if (key === null) return undefined
    setError(undefined)
    const anyway = setTimeout(() => latest.current.onLoad?.(), LOAD_ANYWAY_MS)
    const unfollow = followLive(document, JSON.parse(key) as Variables, {
      onEvent: data => latest.current.onEvent?.(data),
      onLoad: () => {
        clearTimeout(anyway)
        latest.current.onLoad?.()
      },
      onError: reason => {
        clearTimeout(anyway)
        setError(reason)
        latest.current.onError?.(reason)
      },
    })
    return () => {
      clearTimeout(anyway)
      unfollow()
    }
  }, [document, key])
  return error
}
