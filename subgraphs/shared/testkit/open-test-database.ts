import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase } from '../mysql/create-database.ts'
import { migrate } from '../mysql/migrate.ts'
import { withDatabase } from '../mysql/mysql-address.ts'
import { type Mysql, openMysql } from '../mysql/open-mysql.ts'

/** The product's migrations. */
const MIGRATIONS_DIR = new URL('../../../schema/mysql/migrations', import.meta.url).pathname

/** A database of its own for one test file. Dispose drops it. */
export interface TestDatabase extends Mysql {
  url: string
  /** The statements sent through `pool` and `db` since the last clear, in order. Set its length to 0 to clear it. */
  statements: string[]
}

export interface TestDatabaseOptions {
  /** False leaves the database empty. Default true: the product's schema. */
  isMigrated?: boolean
  /** Default 10. */
  poolSize?: number
}

/** Creates an empty database on the shared server, brings it to the product's schema and opens it. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { isMigrated = true, poolSize = 10 } = options
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = withDatabase(inject('mysqlUrl'), name)
  await createDatabase(url)
  if (isMigrated) await migrate({ url }, { dir: MIGRATIONS_DIR })
  const statements: string[] = []
  const mysql = openMysql({ url, poolSize, onStatement: sql => statements.push(sql) })
  return {
    pool: mysql.pool,
    db: mysql.db,
    url,
    statements,
    async [Symbol.asyncDispose]() {
      await mysql.pool.query(`DROP DATABASE IF EXISTS ${name}`)
      await mysql[Symbol.asyncDispose]()
    },
  }
}
