import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'mysql2/promise'
import { createLogger } from '../../shared/logger.ts'
import type { Role } from '../../shared/space-access.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { SECRET } from '../reports-fixture.ts'
import { createExportHandler, type ExportHandlerOptions } from './export-handler.ts'
import { sealExportLink } from './export-link.ts'
import type { ExportRequest } from './export-request.ts'

/** A space with 2 lines, a process on each, and 3 devices: two on the first line, one nowhere. */
export interface ExportSpace {
  readonly spaceId: string
  readonly userId: string
  readonly lineIds: readonly string[]
  readonly processIds: readonly string[]
  readonly deviceIds: readonly string[]
}

/** An event of a test; what is left out has a plain value. */
export interface TestEvent {
  readonly at: number
  /** Place of its device in the space. Default 0. */
  readonly device?: number
  readonly message?: string | null
  readonly attributes?: object | null
  /** Level, or severity. */
  readonly grade?: string
  readonly type?: string
  readonly score?: number | null
  readonly cleared?: boolean
}

/** Exports over HTTP on a test database. Dispose stops the server and the handler. */
export interface ExportFixture extends AsyncDisposable {
  readonly url: string
  readonly server: Server
  /** Roles as `access` tells them, by user. */
  readonly roles: Map<string, Role>
  createSpace(name?: string): Promise<ExportSpace>
  insertLogs(space: ExportSpace, events: readonly TestEvent[]): Promise<void>
  insertAnomalies(space: ExportSpace, events: readonly TestEvent[]): Promise<void>
  /** A link of what is asked for; by default all logs of the space until now, in UTC. */
  link(space: ExportSpace, request?: Partial<ExportRequest>): string
}

/** Starts the fixture; the pool stays the caller's. */
export async function startExportFixture(
  pool: Pool,
  overrides: Partial<ExportHandlerOptions> = {},
): Promise<ExportFixture> {
  const roles = new Map<string, Role>()
  const handler = createExportHandler({
    pool,
    access: { roleOf: async userId => roles.get(userId) ?? null },
    secret: SECRET,
    logger: createLogger({ level: 'silent', role: 'test' }),
    ...overrides,
  })
  const server = createServer((request, response) => handler.handleRequest(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const insert = async (into: string, rows: unknown[][]) => {
    for (let i = 0; i < rows.length; i += 2_000)
      await pool.query(`INSERT INTO ${into} VALUES ?`, [rows.slice(i, i + 2_000)])
  }

  return {
    url,
    server,
    roles,
    async createSpace(name = 'North hall') {
      const [spaceId, userId, now] = [newId(), newId(), new Date()]
      const [lineIds, processIds] = [
        [newId(), newId()],
        [newId(), newId()],
      ]
      const deviceIds = [newId(), newId(), newId()]
      await insert('space (id, name, timezone, created_at)', [[spaceId, name, 'Asia/Seoul', now]])
      await insert('line (id, space_id, name, position)', [
        [lineIds[0], spaceId, 'Line 1', 0],
        [lineIds[1], spaceId, '=Line 2', 1],
      ])
      await insert('process (id, space_id, line_id, name, position)', [
        [processIds[0], spaceId, lineIds[0], 'Milling', 0],
        [processIds[1], spaceId, lineIds[1], 'Welding', 1],
      ])
      await insert(
        'device (id, space_id, line_id, process_id, code, name, created_at)',
        deviceIds.map((id, i) => {
          return [
            id,
            spaceId,
            i < 2 ? lineIds[0] : null,
            i < 2 ? processIds[0] : null,
            `D-${i}`,
            `Device ${i}`,
            now,
          ]
        }),
      )
      roles.set(userId, 'VIEWER')
      return { spaceId, userId, lineIds, processIds, deviceIds }
    },
    insertLogs: (space, events) =>
      insert(
        'log (space_id, id, device_id, line_id, process_id, level, message, attributes, clock_replaced, received_at)',
        events.map(event => [
          ...keyOf(space, event),
          event.grade ?? 'INFO',
          event.message ?? '',
          toJson(event.attributes),
          false,
          new Date(event.at + 1),
        ]),
      ),
    insertAnomalies: (space, events) =>
      insert(
        'anomaly_occurrence (space_id, id, device_id, line_id, process_id, severity, type, message, score, attributes, cleared, clock_replaced, received_at)',
        events.map(event => [
          ...keyOf(space, event),
          event.grade ?? 'MAJOR',
          event.type ?? 'VIBRATION',
          event.message ?? null,
          event.score ?? null,
          toJson(event.attributes),
          event.cleared ?? false,
          false,
          new Date(event.at + 1),
        ]),
      ),
    link: ({ spaceId, userId }, request) =>
      url +
      sealExportLink(SECRET, {
        kind: 'LOGS',
        userId,
        spaceId,
        from: 0,
        to: Date.now(),
        deviceIds: null,
        lineId: null,
        processId: null,
        levels: null,
        severities: null,
        types: null,
        timezone: 'UTC',
        bom: false,
        interval: 'DAY',
        groupBy: [],
        ...request,
      }).path,
    async [Symbol.asyncDispose]() {
      await handler[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
    },
  }
}

function keyOf({ spaceId, deviceIds, lineIds, processIds }: ExportSpace, { at, device = 0 }: TestEvent) {
  const isPlaced = device < 2
  return [
    spaceId,
    newIdAt(at),
    deviceIds[device],
    isPlaced ? lineIds[0] : null,
    isPlaced ? processIds[0] : null,
  ]
}

function toJson(attributes: object | null | undefined): string | null {
  return attributes == null ? null : JSON.stringify(attributes)
}
