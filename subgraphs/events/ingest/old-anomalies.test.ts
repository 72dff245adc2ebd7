import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { expect, it } from 'vitest'
import { migrate } from '../../shared/mysql/migrate.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'

const MIGRATIONS_DIR = new URL('../../../schema/mysql/migrations', import.meta.url).pathname

it('Occurrences from before there were anomalies belong to one of their device and type each', async () => {
  await using empty = await openTestDatabase({ isMigrated: false })
  const before = await mkdtemp(join(tmpdir(), 'nuvion-migrations-'))
  for (const name of await readdir(MIGRATIONS_DIR))
    if (name < '0008') await cp(join(MIGRATIONS_DIR, name), join(before, name))
  await migrate({ url: empty.url }, { dir: before })
  await rm(before, { recursive: true })

  const now = Date.now()
  const [spaceId, deviceId, other, lineId] = [newId(), newId(), newId(), newId()]
  const row = (device: string, type: string, at: number, severity: string, cleared: 0 | 1) =>
    [
      spaceId,
      newIdAt(at),
      device,
      lineId,
      type,
      severity,
      `at ${at}`,
      '{"a":1}',
      cleared,
      0,
      new Date(at),
    ] as const
  const open = [
    row(deviceId, 'heat', now - 9_000, 'MINOR', 0),
    row(deviceId, 'heat', now - 8_000, 'CRITICAL', 1),
    row(deviceId, 'heat', now - 7_000, 'MAJOR', 0),
    row(deviceId, 'heat', now - 6_000, 'INFO', 0),
  ]
  const resolved = [row(other, 'heat', now - 5_000, 'INFO', 0), row(other, 'heat', now - 4_321, 'INFO', 1)]
  const nothing = [row(other, 'jam', now - 3_000, 'INFO', 1)]
  await empty.pool.query(
    `INSERT INTO anomaly_occurrence (space_id, id, device_id, line_id, type, severity, message, attributes, cleared,
       clock_replaced, received_at) VALUES ?`,
    [[...open, ...resolved, ...nothing]],
  )
  await migrate({ url: empty.url }, { dir: MIGRATIONS_DIR })

  const [anomalies] = await empty.pool.query<RowDataPacket[]>('SELECT * FROM anomaly ORDER BY id')
  expect(anomalies).toMatchObject([
    {
      ...{ id: open[0]?.[1], space_id: spaceId, device_id: deviceId, line_id: lineId, process_id: null },
      ...{
        type: 'heat',
        severity: 'MAJOR',
        message: `at ${now - 9_000}`,
        received_at: new Date(now - 9_000),
      },
      ...{ first_occurrence_id: open[0]?.[1], last_occurrence_id: open[3]?.[1], occurrences: 3 },
      ...{ status: 'OPEN', resolved_at: null, open_type: 'heat', version: 1 },
    },
    {
      ...{ id: resolved[0]?.[1], device_id: other, severity: 'INFO', occurrences: 1, status: 'RESOLVED' },
      ...{ last_occurrence_id: resolved[0]?.[1], resolved_at: new Date(now - 4_321), open_type: null },
    },
  ])
  const [occurrences] = await empty.pool.query<RowDataPacket[]>(
    'SELECT cleared, anomaly_id FROM anomaly_occurrence ORDER BY id',
  )
  const [a, b] = anomalies
  expect(occurrences.map(({ cleared, anomaly_id }) => [cleared, anomaly_id])).toEqual([
    ...[
      [0, a?.id],
      [1, null],
      [0, a?.id],
      [0, a?.id],
    ],
    ...[
      [0, b?.id],
      [1, null],
      [1, null],
    ],
  ])
})
