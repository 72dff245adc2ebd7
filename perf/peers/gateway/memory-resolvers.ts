import DataLoader from 'dataloader'
import type { LogEvent } from '../../../schema/live-event.ts'
import { requireUser, type Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import {
  type Connection,
  type PageArgs,
  readPage,
  toConnection,
} from '../../../subgraphs/shared/graphql/connection.ts'
import { timeOfId } from '../../../subgraphs/shared/uuid-v7.ts'
import type { FixtureDevice, FixtureRows } from './fixture-rows.ts'

/** What resolvers over rows in memory get: who asks, and the loaders of one request. */
export interface MemoryContext {
  readonly viewer: Viewer | null
  readonly logPage: DataLoader<number, readonly LogEvent[]>
  readonly deviceById: DataLoader<string, FixtureDevice | null>
}

const LOG_CURSOR = { kind: 'log', parts: ['id'] } as const

/** Makes contexts whose loaders read the rows. */
export function createMemoryContexts(rows: FixtureRows): (viewer: Viewer | null) => MemoryContext {
  const devices = new Map(rows.devices.map(device => [device.id, device]))
  return viewer => ({
    viewer,
    logPage: new DataLoader(async sizes => sizes.map(size => rows.logs.slice(0, size))),
    deviceById: new DataLoader(async ids => ids.map(id => devices.get(id) ?? null)),
  })
}

/** Answers `Query.logs`: the newest page, as the events subgraph does. */
export async function readLogs(
  _: unknown,
  { first }: PageArgs & { spaceId: string },
  { viewer, logPage }: MemoryContext,
): Promise<Connection<LogEvent>> {
  requireUser(viewer)
  const page = readPage({ first }, { cursorShape: LOG_CURSOR })
  return toConnection(await logPage.load(page.size + 1), page, log => [log.id])
}

/** Fields of `Log` that are no property of its row. */
export const logTimes = {
  occurredAt: ({ id }: LogEvent) => new Date(timeOfId(id)),
  receivedAt: ({ receivedAt }: LogEvent) => new Date(receivedAt),
}
