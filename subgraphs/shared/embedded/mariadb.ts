import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { endOrphans } from './orphan.ts'
import { getServerBinary } from './server-binary.ts'
import { type ServerDeath, startServerProcess } from './server-process.ts'
import { createSocketPath } from './socket-path.ts'

/** The account and the database of the embedded server. No password: only this user can reach the socket. */
const ACCOUNT = 'nuvion'

/** How long one attempt to connect may take while the server starts. */
const CONNECT_TIMEOUT_MS = 1_000

export interface MariaDbOptions {
  /** Folder of its own for this server; made (0700) when missing. */
  dataDir: string
  /** Told about long steps, one sentence each. */
  log?: (message: string) => void
  /** For initialisation, the end of an orphan and the start, each. Default 60 s. */
  deadlineMs?: number
  /** `power-loss` (default): a commit survives a power failure. `crash`: only a crash of the server (tests). */
  durability?: 'power-loss' | 'crash'
  /** InnoDB's page cache. Default 256 MiB. */
  bufferPoolMiB?: number
  /** Called once when the server ends without being closed. */
  onDeath?: (death: ServerDeath) => void
}

/** A running private MariaDB. Dispose ends it cleanly. */
export interface MariaDb {
  /** `mysql://nuvion@localhost/nuvion?socketPath=…`, as openMysql takes it. The account may create databases. */
  url: string
  socketPath: string
  pid: number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Runs a private mariadbd on a unix socket, without network and without the system's configuration. Initialises the
 * data folder on first use (about 1 s); an initialisation that was interrupted starts over. Recovers from a SIGKILL
 * of everything, ending an orphan of ours first. Rejects with UNAVAILABLE when MariaDB is not installed.
 */
export async function startMariaDb(options: MariaDbOptions): Promise<MariaDb> {
  const { log = () => {}, deadlineMs = 60_000 } = options
  const file = getServerBinary('mariadbd', 'mysqld')
  const dir = resolve(options.dataDir)
  const data = join(dir, 'data')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  // Of its own, because a server that starts deletes the temporary tables of others that it finds there.
  const temporary = join(dir, 'tmp')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })

  const dataArgument = `--datadir=${data}`
  const orphans = await endOrphans(dataArgument, deadlineMs)
  if (orphans.length > 0)
    log(`Ended the MariaDB that an earlier run left behind (process ${orphans.join(', ')})`)
  if (!existsSync(data)) {
    log('Initialising MariaDB')
    await initialise(dir, data, temporary, deadlineMs)
  }

  const socket = createSocketPath(dir, 'mariadb')
  const initFile = join(dir, 'init.sql')
  writeFileSync(initFile, ACCOUNT_SQL, { mode: 0o600 })
  const server = await startServerProcess({
    name: 'MariaDB',
    file,
    args: [
      '--no-defaults',
      dataArgument,
      `--socket=${socket.path}`,
      `--tmpdir=${temporary}`,
      `--pid-file=${join(dir, 'mariadb.pid')}`,
      `--init-file=${initFile}`,
      ...serverArguments(options),
    ],
    cwd: dir,
    logFile: join(dir, 'mariadb.log'),
    isReady: () => answers(socket.path),
    readyDeadlineMs: deadlineMs,
    onDeath: options.onDeath,
  })

  const close = async () => {
    await server[Symbol.asyncDispose]()
    socket.remove()
  }
  const url = embeddedUrl(socket.path)
  return { url, socketPath: socket.path, pid: server.pid, close, [Symbol.asyncDispose]: close }
}

/** Address of an embedded server by its socket, as openMysql takes it. */
export function embeddedUrl(socketPath: string): string {
  return `mysql://${ACCOUNT}@localhost/${ACCOUNT}?socketPath=${encodeURIComponent(socketPath)}`
}

const ACCOUNT_SQL = `CREATE DATABASE IF NOT EXISTS ${ACCOUNT} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE USER IF NOT EXISTS ${ACCOUNT}@localhost;
GRANT ALL ON *.* TO ${ACCOUNT}@localhost;
`

function serverArguments({ durability = 'power-loss', bufferPoolMiB = 256 }: MariaDbOptions): string[] {
  return [
    ...asRoot(),
    '--skip-networking',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--default-time-zone=+00:00',
    `--innodb-flush-log-at-trx-commit=${durability === 'power-loss' ? 1 : 2}`,
    `--innodb-buffer-pool-size=${bufferPoolMiB}M`,
    '--innodb-log-file-size=64M',
    '--innodb-adaptive-hash-index=OFF',
    '--performance-schema=OFF',
    '--key-buffer-size=8M',
    '--aria-pagecache-buffer-size=8M',
    '--query-cache-type=0',
    '--query-cache-size=0',
    '--max-connections=200',
    '--max-allowed-packet=64M',
    '--table-open-cache=1000',
  ]
}

/** MariaDB refuses to run as root unless it is told so. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : []
}

/** Makes the data folder under another name and renames it, so that it is either whole or absent. */
async function initialise(dir: string, data: string, temporary: string, deadlineMs: number): Promise<void> {
  const draft = join(dir, 'data.new')
  rmSync(draft, { recursive: true, force: true })
  const args = [
    '--no-defaults',
    `--datadir=${draft}`,
    `--tmpdir=${temporary}`,
    ...asRoot(),
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--innodb-log-file-size=64M',
  ]
  await promisify(execFile)(getServerBinary('mariadb-install-db', 'mysql_install_db'), args, {
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  }).catch(cause => {
    throw new Error(`MariaDB could not be initialised in ${dir}.`, { cause })
  })
  renameSync(draft, data)
}

async function answers(socketPath: string): Promise<boolean> {
  const connection = await createConnection({
    socketPath,
    user: ACCOUNT,
    database: ACCOUNT,
    connectTimeout: CONNECT_TIMEOUT_MS,
  })
  connection.on('error', () => {})
  try {
    await connection.query({ sql: 'SELECT 1', timeout: CONNECT_TIMEOUT_MS })
    return true
  } finally {
    connection.destroy()
  }
}
