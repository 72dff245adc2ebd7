import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import * as alertTables from './alert-tables.ts'
import * as anomalyTables from './anomaly-tables.ts'
import * as deviceTables from './device-tables.ts'
import { getTableConfig, is, MySqlTable } from './drizzle.ts'
import * as ingestTables from './ingest-tables.ts'
import * as watchTables from './watch-tables.ts'
import * as workerTables from './worker-tables.ts'

const tables = Object.values({
  ...alertTables,
  ...anomalyTables,
  ...deviceTables,
  ...ingestTables,
  ...watchTables,
  ...workerTables,
}).filter(table => is(table, MySqlTable))

/** One spelling for a column type, however Drizzle or MariaDB writes it. */
function spell(type: string): string {
  return type
    .replace(/ character set \w+| collate \w+|\(\d+\)(?=$)/g, match => (match.startsWith('(') ? match : ''))
    .replace(/^boolean$/, 'tinyint(1)')
    .replace(/^json$/, 'longtext')
    .replace(/^(int|bigint|smallint)(\(\d+\))?$/, '$1')
}

describe('the Drizzle tables and the migrated database', () => {
  it('have the same tables', async () => {
    await using database = await openTestDatabase()
    const [rows] = await database.pool.query('SHOW TABLES')
    const migrated = (rows as Record<string, string>[]).map(row => String(Object.values(row)[0]))
    const bookkeeping = /^schema_migration/
    expect(migrated.filter(name => !bookkeeping.test(name)).sort()).toEqual(
      tables.map(table => getTableConfig(table).name).sort(),
    )
  })

  it('have the same columns and indexes', async () => {
    await using database = await openTestDatabase()
    for (const table of tables) {
      const { name, columns, indexes, primaryKeys } = getTableConfig(table)
      const [rows] = await database.pool.query(
        `SELECT column_name AS name, column_type AS type, is_nullable = 'NO' AS isNotNull
         FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?`,
        [name],
      )
      const migrated = (rows as { name: string; type: string; isNotNull: number }[]).map(row => ({
        name: row.name,
        type: spell(row.type),
        isNotNull: row.isNotNull === 1,
      }))
      const declared = columns.map(c => ({ name: c.name, type: spell(c.getSQLType()), isNotNull: c.notNull }))
      expect(migrated, name).toEqual(declared)

      const [keys] = await database.pool.query(
        `SELECT index_name AS name, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns
         FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? GROUP BY index_name`,
        [name],
      )
      const primary = primaryKeys[0]?.columns ?? columns.filter(c => c.primary)
      const expected = [
        { name: 'PRIMARY', columns: primary.map(c => c.name).join() },
        ...indexes.map(({ config }) => ({
          name: config.name,
          columns: config.columns.map(c => ('name' in c ? c.name : '')).join(),
        })),
      ]
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
      expect(
        (keys as { name: string; columns: string }[]).map(key => ({ ...key })).sort(byName),
        name,
      ).toEqual(expected.sort(byName))
    }
  })
})
