import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { endOrphans } from './orphan.ts'
import { getServerBinary } from './server-binary.ts'
import { type ServerDeath, startServerProcess } from './server-process.ts'
import { createSocketPath } from './socket-path.ts'

/** How long one attempt to PING may take while the server starts. */
const PING_TIMEOUT_MS = 1_000

export interface RedisServerOptions {
  /** Folder of its own for this server; made (0700) when missing. */
  dataDir: string
  /** Names the socket, the log and the server in messages: `live`, `ingest`. */
  name: string
  /** `always`: an acknowledged write survives a power failure. `everysec`: at most a second is lost. */
  appendfsync: 'always' | 'everysec'
  /** Upper bound of its memory, as Redis writes it (`512mb`); past it writes are refused, nothing is evicted. */
  maxMemory?: string
  /** Number of databases. Default 16. */
  databases?: number
  log?: (message: string) => void
  /** For the end of an orphan and the start (with loading its data), each. Default 60 s. */
  deadlineMs?: number
  /** Called once when the server ends without being closed. */
  onDeath?: (death: ServerDeath) => void
}

/** A running private Redis. Dispose ends it cleanly. */
export interface RedisServer {
  /** `unix:///…/live.sock`, as openRedis takes it; `?db=N` chooses a database. */
  url: string
  socketPath: string
  pid: number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Runs a private redis-server on a unix socket, without network, with an append-only file and without eviction.
 * Recovers from a SIGKILL of everything, ending an orphan of ours first; a torn last record of the file is dropped,
 * which can only be a write that was never acknowledged. Rejects with UNAVAILABLE when it is not installed.
 */
export async function startRedis(options: RedisServerOptions): Promise<RedisServer> {
  const { name, log = () => {}, deadlineMs = 60_000 } = options
  const file = getServerBinary('redis-server', 'valkey-server')
  const dir = resolve(options.dataDir)
  mkdirSync(dir, { recursive: true, mode: 0o700 })

  const orphans = await endOrphans(dir, deadlineMs)
  if (orphans.length > 0)
    log(`Ended the Redis that an earlier run left behind (process ${orphans.join(', ')})`)

  const socket = createSocketPath(dir, name)
  const server = await startServerProcess({
    name: `Redis (${name})`,
    file,
    args: serverArguments(options, dir, socket.path),
    cwd: dir,
    logFile: join(dir, `${name}.log`),
    isReady: () => answers(socket.path),
    readyDeadlineMs: deadlineMs,
    onDeath: options.onDeath,
  })

  const close = async () => {
    await server[Symbol.asyncDispose]()
    socket.remove()
  }
  return {
    url: `unix://${encodeURI(socket.path)}`,
    socketPath: socket.path,
    pid: server.pid,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function serverArguments(options: RedisServerOptions, dir: string, socketPath: string): string[] {
  const settings: Record<string, string> = {
    dir,
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '700',
    daemonize: 'no',
    // Its arguments stay readable in the process table: that is how an orphan is recognised.
    'set-proc-title': 'no',
    save: '',
    appendonly: 'yes',
    appendfsync: options.appendfsync,
    'aof-load-truncated': 'yes',
    'maxmemory-policy': 'noeviction',
    databases: String(options.databases ?? 16),
    loglevel: 'warning',
  }
  if (options.maxMemory !== undefined) settings.maxmemory = options.maxMemory
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}

/** True once the server answers PING; false while it is loading its data. */
function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    socket.setTimeout(PING_TIMEOUT_MS, () => socket.destroy(new Error('PING timed out')))
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', reply => {
      socket.destroy()
      resolve(reply.toString('latin1').startsWith('+PONG'))
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(false))
  })
}
