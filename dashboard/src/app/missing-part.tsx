import { useEffect, useRef } from 'preact/hooks'
import { connection } from '../graphql/connection.ts'
import { ErrorState } from '../ui/error-state.tsx'

const DEADLINE_MS = 5_000

/**
 * Stands for a part of the dashboard that could not be loaded: the product was away, or was renewed and has parts of other
 * names now. Loads the page anew when the connection is back, or when it is asked to and the product answers.
 */
export function MissingPart() {
  const { state } = connection.value
  const wasLost = useRef(false)
  useEffect(() => {
    if (state === 'live' && wasLost.current) void reloadPage()
    wasLost.current = state === 'reconnecting' || state === 'offline'
  }, [state])
  return <ErrorState onRetry={() => void reloadPage()} />
}

/** Without an answer the page stays as it is: better than the browser's page for sites that are away. */
async function reloadPage(): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const answer = await fetch('/', { cache: 'no-store', signal }).catch(() => undefined)
  if (answer?.ok) location.reload()
}
