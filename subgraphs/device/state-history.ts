import type DataLoader from 'dataloader'
import { AppError } from '../shared/errors.ts'
import { type Connection, type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import type { StateHistoryRequest, StateHistoryRow } from './state-history-repository.ts'

/** Series (0 status, 1 metrics), metric, time. */
const CURSOR = { kind: 'state-history', parts: ['number', 'text', 'number'] } as const

const MAX_RANGE_DAYS = 31
const DAY_MS = 24 * 60 * 60_000

/** Arguments of Device.stateHistory. */
export interface StateHistoryArgs extends PageArgs {
  readonly from: Date
  readonly to: Date
}

/**
 * Loads a page of a device's history together with those that others ask for in the same tick. Rejects with
 * BAD_USER_INPUT when `to` is not after `from` or more than 31 days later, and for a size or a cursor that cannot be.
 */
export async function loadStateHistory(
  loader: DataLoader<StateHistoryRequest, StateHistoryRow[]>,
  deviceId: string,
  { from, to, ...args }: StateHistoryArgs,
): Promise<Connection<StateHistoryRow>> {
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  if (toMs <= fromMs) throw new AppError('BAD_USER_INPUT', 'to must be after from.')
  if (toMs - fromMs > MAX_RANGE_DAYS * DAY_MS)
    throw new AppError('BAD_USER_INPUT', `from and to may be ${MAX_RANGE_DAYS} days apart at most.`)
  const page = readPage(args, { cursorShape: CURSOR, defaultSize: 100, maxSize: 500 })
  const [series, key, at] = page.key ?? []
  const after = at === undefined ? null : { isSample: series === 1, key: key ?? '', at }
  const rows = await loader.load({ deviceId, fromMs, toMs, after, limit: page.size + 1 })
  return toConnection(rows, page, row =>
    row.kind === 'StatusChange' ? [0, '', row.at] : [1, row.key, row.at],
  )
}
