import { graphql } from 'graphql'
import { device, membership, space } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray } from '../../schema/mysql/drizzle.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'
import { type Db, openMysql } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createReportsSubgraph } from './reports-subgraph.ts'

/** The site's. */
export const SECRET = 'a secret of the site, of 32 characters'

/** What came of an operation: its data, and `CODE message` of each error. */
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
  data: any
  errors: string[]
}

/** The reports subgraph on a real database, with what its tests need of its neighbours. */
export interface ReportsFixture {
  /** A pool of its own, whose statements are not counted among the subgraph's. */
  readonly others: ReturnType<typeof openMysql>
  /** A space of which `member` is a VIEWER, with devices that were registered at `createdAt`. */
  createSpace(options?: {
    timezone?: string
    deviceCount?: number
    createdAt?: Date
  }): Promise<{ spaceId: string; deviceIds: string[]; member: Viewer }>
  /** Inserts rows: as many values each as the table has columns. */
  insert(table: string, rows: readonly (readonly unknown[])[]): Promise<void>
  run(viewer: Viewer | null, source: string, variables?: Record<string, unknown>): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens the fixture on a test database, which stays the caller's: what its pool has sent is the subgraph's. */
export function openReportsFixture(database: { db: Db; url: string }): ReportsFixture {
  const others = openMysql({ url: database.url })
  const { schema, createContext } = createReportsSubgraph({
    db: database.db,
    access: {
      async roleOf(userId, spaceId) {
        const [row] = await others.db
          .select({ role: membership.role })
          .from(membership)
          .where(and(eq(membership.userId, userId), eq(membership.spaceId, spaceId)))
        return row?.role ?? null
      },
    },
    secret: SECRET,
    devices: {
      async placesOf(deviceIds) {
        const rows = await others.db
          .select()
          .from(device)
          .where(inArray(device.id, [...deviceIds]))
        return new Map(rows.map(row => [row.id, row]))
      },
    },
  })
  return {
    others,
    async createSpace({ timezone = 'UTC', deviceCount = 0, createdAt = new Date(0) } = {}) {
      const [spaceId, userId] = [newId(), newId()]
      const deviceIds = Array.from({ length: deviceCount }, newId)
      await others.db.insert(space).values({ id: spaceId, name: 'Factory', timezone, createdAt })
      await others.db.insert(membership).values({ spaceId, userId, role: 'VIEWER', joinedAt: createdAt })
      if (deviceCount > 0)
        await others.db
          .insert(device)
          .values(deviceIds.map(id => ({ id, spaceId, code: id, name: 'device', createdAt })))
      return { spaceId, deviceIds, member: asUser(userId) }
    },
    async insert(table, rows) {
      for (let i = 0; i < rows.length; i += 2_000)
        await others.pool.query(`INSERT INTO ${table} VALUES ?`, [rows.slice(i, i + 2_000)])
    },
    async run(viewer, source, variableValues) {
      const contextValue = createContext({ viewer, requestId: 'test' })
      const { data, errors } = await graphql({ schema, source, contextValue, variableValues })
      return { data: JSON.parse(JSON.stringify(data ?? null)), errors: (errors ?? []).map(describeError) }
    },
    [Symbol.asyncDispose]: () => others[Symbol.asyncDispose](),
  }
}

/** Claims of a signed-in user. */
export function asUser(userId: string): Viewer {
  return { kind: 'user', userId, sessionId: newId(), expiresAt: Date.now() + 60_000 }
}

function describeError(error: Error & { originalError?: unknown; extensions?: { code?: unknown } }): string {
  const thrown = error.originalError
  const code = thrown instanceof AppError ? thrown.code : error.extensions?.code
  return `${code} ${error.message}`
}
