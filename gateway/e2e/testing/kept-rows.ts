import * as alertTables from '../../../schema/mysql/alert-tables.ts'
import * as anomalyTables from '../../../schema/mysql/anomaly-tables.ts'
import * as deviceTables from '../../../schema/mysql/device-tables.ts'
import { getTableConfig, is, MySqlTable } from '../../../schema/mysql/drizzle.ts'
import * as watchTables from '../../../schema/mysql/watch-tables.ts'
import type { Mysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'

/** The rows of the tables that people change, as they were, to compare with and to go back to. */
export interface KeptRows {
  /** Names of the tables that are not as they were. */
  listChanged(): Promise<string[]>
  /** Puts all rows back. Answers the names of the tables that were not as they were. */
  restore(): Promise<string[]>
  /** Keeps a table as it is now. */
  keepAgain(name: string): Promise<void>
}

/** Keeps a copy of all rows. */
export async function keepRows({ pool }: Mysql): Promise<KeptRows> {
  const tables = { ...deviceTables, ...anomalyTables, ...alertTables, ...watchTables }
  const names = Object.values(tables).flatMap(table =>
    is(table, MySqlTable) ? [getTableConfig(table).name] : [],
  )
  const columns = new Map<string, string>()
  for (const name of names) {
    // Without those that the database generates.
    const [rows] = await pool.query(`SHOW COLUMNS FROM ${name} WHERE Extra NOT LIKE '%GENERATED%'`)
    const listed = (rows as { Field: string }[]).map(({ Field }) => Field).join(', ')
    columns.set(name, listed)
    await pool.query(`CREATE TABLE kept_${name} AS SELECT ${listed} FROM ${name}`)
  }
  const copy = async (from: string, to: string, listed = '') => {
    await pool.query(`DELETE FROM ${to}`)
    await pool.query(`INSERT INTO ${to} (${listed}) SELECT ${listed} FROM ${from}`)
  }
  async function sum(): Promise<Map<string, string>> {
    const [rows] = await pool.query(`CHECKSUM TABLE ${names.join(', ')}`)
    return new Map(
      (rows as { Checksum: string }[]).map(({ Checksum }, i) => [names[i] ?? '', String(Checksum)]),
    )
  }
  let kept = await sum()

  async function listChanged(): Promise<string[]> {
    const now = await sum()
    return names.filter(name => now.get(name) !== kept.get(name))
  }

  return {
    listChanged,
    async restore() {
      const changed = await listChanged()
      for (const name of changed) await copy(`kept_${name}`, name, columns.get(name))
      return changed
    },
    async keepAgain(name) {
      await copy(name, `kept_${name}`, columns.get(name))
      kept = await sum()
    },
  }
}
