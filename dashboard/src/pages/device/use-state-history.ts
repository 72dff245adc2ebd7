import { useEffect, useState } from 'preact/hooks'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { DeviceHistoryDocument, type DeviceHistoryQuery } from './device.generated.ts'
import { type StateHistory, toHistory } from './state-history.ts'

type Item = NonNullable<NonNullable<DeviceHistoryQuery['device']>['stateHistory']>['nodes'][number]

/** Pages of 500 items that are loaded: a week of three metrics. */
const MAX_PAGES = 64

/** What a device was in a range, all of it, unless that is too much. */
export interface LoadedHistory {
  readonly history: StateHistory | undefined
  readonly isTooMuch: boolean
  readonly isLoading: boolean
  readonly error: RequestError | undefined
  reload(): void
  update(change: (history: StateHistory) => StateHistory): void
}

/** Loads the history of a range, anew when it changes. */
export function useStateHistory(deviceId: string, from: string, to: string): LoadedHistory {
  const [state, setState] = useState<Pick<LoadedHistory, 'history' | 'isTooMuch' | 'isLoading' | 'error'>>({
    ...{ history: undefined, isTooMuch: false, isLoading: true, error: undefined },
  })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    setState(before => ({ ...before, isLoading: true, error: undefined }))
    loadAll(deviceId, from, to, controller.signal).then(
      ({ items, isTooMuch }) =>
        setState({ history: toHistory(items), isTooMuch, isLoading: false, error: undefined }),
      reason => {
        if (controller.signal.aborted) return
        setState(before => ({ ...before, isLoading: false, error: asRequestError(reason) }))
      },
    )
    return () => controller.abort()
  }, [deviceId, from, to, attempt])
  return {
    ...state,
    reload: () => setAttempt(before => before + 1),
    update: change =>
      setState(before =>
        before.history === undefined ? before : { ...before, history: change(before.history) },
      ),
  }
}

async function loadAll(
  deviceId: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<{ items: Item[]; isTooMuch: boolean }> {
  const items: Item[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const history: Connection | null = await loadPage({ deviceId, from, to, after }, signal)
    items.push(...(history?.nodes ?? []))
    if (!history?.pageInfo.hasNextPage) return { items, isTooMuch: false }
    after = history.pageInfo.endCursor
  }
  return { items, isTooMuch: true }
}

type Connection = NonNullable<NonNullable<DeviceHistoryQuery['device']>['stateHistory']>

async function loadPage(
  variables: { deviceId: string; from: string; to: string; after: string | null },
  signal: AbortSignal,
): Promise<Connection | null> {
  const { data, problem } = await request(DeviceHistoryDocument, variables, { signal })
  if (problem !== null) throw problem
  return data.device?.stateHistory ?? null
}
