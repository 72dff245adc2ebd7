import { randomUUID } from 'node:crypto'
import type { Pool, RowDataPacket } from 'mysql2/promise'
import { hashStatements, type MigrationFile, readMigrationFiles } from './migration-file.ts'
import { acquireMigrationLock, type MigrationLock } from './migration-lock.ts'
import { openMysql } from './open-mysql.ts'

/** A lease longer than any pause of the process; renewed while it works. */
const LEASE_MS = 30_000

/** How long a replica waits for another one that migrates. */
const LOCK_DEADLINE_MS = 10 * 60_000

/** Rebuilding a large table takes hours. */
const STATEMENT_TIMEOUT_MS = 24 * 60 * 60_000

const ER_NO_SUCH_TABLE = 1146

/** MySQL's and MariaDB's ways to say that a DDL statement has been done before. */
const ALREADY_DONE_ERRNOS = new Set([
  1050, // ER_TABLE_EXISTS_ERROR
  1051, // ER_BAD_TABLE_ERROR: dropped before
  1060, // ER_DUP_FIELDNAME
  1061, // ER_DUP_KEYNAME
  1091, // ER_CANT_DROP_FIELD_OR_KEY
])

export interface MigrateOptions {
  /** Folder of `NNNN_name.sql` files; statements stand apart by `--> statement-breakpoint` lines. */
  dir: string
  /** Told about each file that is applied. */
  log?: (message: string) => void
  /**
   * Names who migrates, at most 36 characters. Default: a new name, so that the lock of one that was killed is free when
   * its lease ends. Whoever alone can be of a name gives it, and has its own lock back at once.
   */
  owner?: string
  leaseMs?: number
  lockDeadlineMs?: number
}

interface Progress {
  name: string
  checksum: string
  doneStatements: number
  isStatementStarted: boolean
  isFinished: boolean
}

/**
 * Brings a database to the schema of this code and returns the names of the files that it applied. Several programs
 * may start at once: one migrates, the others wait. Progress is recorded per statement, so a crash in the middle of a
 * file resumes there. Rejects when an applied statement was changed since, when files are missing in between, and
 * when the database knows files that this code does not (it is newer).
 */
export async function migrate(
  target: { pool: Pool } | { url: string },
  options: MigrateOptions,
): Promise<string[]> {
  if ('pool' in target) return migratePool(target.pool, options)
  await using mysql = openMysql({ url: target.url, poolSize: 2 })
  return await migratePool(mysql.pool, options)
}

async function migratePool(pool: Pool, options: MigrateOptions): Promise<string[]> {
  const { dir, log = () => {}, leaseMs = LEASE_MS, lockDeadlineMs = LOCK_DEADLINE_MS } = options
  const { owner = randomUUID() } = options
  const files = await readMigrationFiles(dir)
  if (await isUpToDate(pool, files)) return []
  await using lock = await acquireMigrationLock(pool, { leaseMs, deadlineMs: lockDeadlineMs, owner })
  await pool.query(
    'CREATE TABLE IF NOT EXISTS schema_migration (name VARCHAR(200) NOT NULL PRIMARY KEY, checksum CHAR(64) NOT NULL, ' +
      'done_statements INT NOT NULL, is_statement_started TINYINT(1) NOT NULL, finished_at DATETIME(3) NULL)',
  )
  const progress = await listProgress(pool)
  const pending = listPending(files, progress)
  for (const file of pending) {
    log(`Migrating the database: ${file.name}`)
    await apply(pool, lock, file, progress.get(file.name))
  }
  return pending.map(file => file.name)
}

/** Whether nothing is to be done, which needs no lock to be seen. */
async function isUpToDate(pool: Pool, files: MigrationFile[]): Promise<boolean> {
  try {
    return listPending(files, await listProgress(pool)).length === 0
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ER_NO_SUCH_TABLE) return false
    throw error
  }
}

/** The files that are not finished, after checking that what the database has is a beginning of `files`. */
function listPending(files: MigrationFile[], progress: Map<string, Progress>): MigrationFile[] {
  const known = new Set(files.map(file => file.name))
  const unknown = [...progress.keys()].filter(name => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program: it has had ${unknown.join(', ')}`)
  }
  for (const file of files) {
    const past = progress.get(file.name)
    if (past === undefined) continue
    const isShorter = file.statements.length < past.doneStatements
    const isLonger = past.isFinished && file.statements.length > past.doneStatements
    if (isShorter || isLonger || hashStatements(file.statements, past.doneStatements) !== past.checksum) {
      throw new Error(
        `The migration ${file.name} was changed after it had been applied; add a new file instead`,
      )
    }
  }
  const firstPending = files.findIndex(file => !progress.get(file.name)?.isFinished)
  if (firstPending === -1) return []
  const late = files.slice(firstPending + 1).find(file => progress.has(file.name))
  if (late) {
    throw new Error(
      `The migration ${files[firstPending]?.name} comes before ${late.name}, which has been applied`,
    )
  }
  return files.slice(firstPending)
}

async function listProgress(pool: Pool): Promise<Map<string, Progress>> {
  const [rows] = await pool.query<RowDataPacket[]>(
    'SELECT name, checksum, done_statements, is_statement_started, finished_at FROM schema_migration ORDER BY name',
  )
  return new Map(
    rows.map(row => [
      row.name,
      {
        name: row.name,
        checksum: row.checksum,
        doneStatements: row.done_statements,
        isStatementStarted: row.is_statement_started === 1,
        isFinished: row.finished_at !== null,
      },
    ]),
  )
}

async function apply(pool: Pool, lock: MigrationLock, file: MigrationFile, past?: Progress): Promise<void> {
  const { name, statements } = file
  const done = past?.doneStatements ?? 0
  if (past === undefined) {
    await pool.query('INSERT INTO schema_migration VALUES (?, ?, 0, 0, NULL)', [
      name,
      hashStatements(statements, 0),
    ])
  }
  for (const [index, statement] of statements.entries()) {
    if (index < done) continue
    lock.assertHeld()
    const mayBeDone = index === done && past?.isStatementStarted === true
    await pool.query('UPDATE schema_migration SET is_statement_started = 1 WHERE name = ?', [name])
    await applyStatement(pool, file, index, statement, mayBeDone)
  }
  await pool.query('UPDATE schema_migration SET finished_at = NOW(3) WHERE name = ?', [name])
}

/**
 * Runs a statement and its record in one transaction: data and record commit together. DDL commits by itself, so a
 * crash may fall between the two; then `mayBeDone` lets the second attempt take "exists already" for success.
 */
async function applyStatement(
  pool: Pool,
  file: MigrationFile,
  index: number,
  statement: string,
  mayBeDone: boolean,
): Promise<void> {
  const connection = await pool.getConnection()
  try {
    await connection.beginTransaction()
    await connection.query({ sql: statement, timeout: STATEMENT_TIMEOUT_MS }).catch(error => {
      if (!(mayBeDone && ALREADY_DONE_ERRNOS.has(error.errno))) throw error
    })
    await connection.query(
      'UPDATE schema_migration SET done_statements = ?, checksum = ?, is_statement_started = 0 WHERE name = ?',
      [index + 1, hashStatements(file.statements, index + 1), file.name],
    )
    await connection.commit()
  } catch (cause) {
    connection.destroy()
    throw new Error(
      `Statement ${index + 1} of the migration ${file.name} failed: ${statement.slice(0, 200)}`,
      { cause },
    )
  }
  connection.release()
}
