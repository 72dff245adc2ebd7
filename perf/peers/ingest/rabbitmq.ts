import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeScratchFolder } from '../../runner/scratch-folder.ts'
import { runPeer } from '../peer-program.ts'

/** Where Debian's package keeps the program itself; that on the PATH becomes another user first. */
const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server'

const READY_DEADLINE_MS = 50_000
const END_DEADLINE_MS = 10_000
const POLL_INTERVAL_MS = 200

// Debian's RabbitMQ with Web-STOMP: one node with its defaults, apart from any other on the machine, in one Erlang VM
// on the CPUs of this process. Receipts of persistent messages on a durable queue are publisher confirms: it is on disk.
// A classic queue, because it is the fastest of those (quorum 0.7 and stream 0.8 of it), and nobody consumes, so that
// all it has goes into taking messages; the user is checked once, at CONNECT, and bodies are never looked at.
await runPeer<object, { url: string }>(async () => {
  const folder = await makeScratchFolder('rabbitmq')
  const dir = folder.path
  const [epmdPort, distPort, amqpPort, stompPort, webPort] = await findFreePorts(5)
  await writeFile(
    join(dir, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${amqpPort}`,
      `stomp.listeners.tcp.1 = 127.0.0.1:${stompPort}`,
      'web_stomp.tcp.ip = 127.0.0.1',
      `web_stomp.tcp.port = ${webPort}`,
      'log.console = false',
      'log.file.level = error',
      '',
    ].join('\n'),
  )
  await writeFile(join(dir, 'enabled_plugins'), '[rabbitmq_web_stomp].\n')
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `nuvion-perf-${process.pid}@localhost`,
    RABBITMQ_NODE_PORT: String(amqpPort),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_CONF_ENV_FILE: join(dir, 'none.conf'),
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(dir, 'data'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_PID_FILE: join(dir, 'pid'),
  }
  const child = spawn(PROGRAM, { cwd: dir, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const close = async () => {
    await endProcess(child)
    await promisify(execFile)('epmd', ['-port', String(epmdPort), '-kill'], { env }).catch(() => {})
    await folder[Symbol.asyncDispose]()
  }
  try {
    await waitUntilListening(child, webPort ?? 0)
  } catch (error) {
    await close()
    throw error
  }
  return { ready: { url: `ws://127.0.0.1:${webPort}/ws` }, close }
})

/** Ports that were free a moment ago. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}

async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`RabbitMQ ended with ${child.exitCode}.`)
    if (await accepts(port)) return
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error(`RabbitMQ was not ready in ${READY_DEADLINE_MS} ms.`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = new Socket()
    const tell = (does: boolean) => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', () => tell(true)).once('error', () => tell(false))
    socket.connect(port, '127.0.0.1')
  })
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS)
  await exited
  clearTimeout(killer)
}
