import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../deadline.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { FromSupervisor, MetricsSnapshot, ToSupervisor } from './messages.ts'
import { stopReading } from './socket-handoff.ts'

/** Delays before a process that ended by itself is started again, in milliseconds; the last one repeats. */
const RESTART_DELAYS_MS = [50, 200, 1_000, 5_000] as const

/** A process that has lived this long is taken for healthy: its next restart begins with the shortest delay. */
const HEALTHY_AFTER_MS = 30_000

/** How long a process may take to end once told to stop before it is killed. */
const STOP_DEADLINE_MS = 9_500

/** Connections on their way to a process, one after the other as Node has it; the next one is refused. */
const MAX_SOCKETS_UNDERWAY = 2_000

/** One of the supervisor's processes, started again whenever it ends by itself. */
export interface ProcessGroup extends Closable {
  /**
   * Resolves with the address of the process's HTTP server when it is first ready. Rejects when it ends before: what
   * keeps it from starting once would keep it from starting again.
   */
  readonly ready: Promise<string>
  /** Sends a message; one to a process that is not there is dropped. */
  send(message: FromSupervisor): void
  /** Moves a connection to the process; one that cannot be taken is destroyed. */
  sendSocket(head: string, socket: Socket): void
  /** Asks for the process's metrics. Rejects with UNAVAILABLE when it does not answer within a second. */
  collectMetrics(): Promise<MetricsSnapshot>
}

/** What a process group needs. */
export interface ProcessGroupOptions {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  /** Asked before each start. */
  readonly readEnv: () => NodeJS.ProcessEnv
  readonly logger: Logger
  /** Told each time a process is ready, with the port of its HTTP server. */
  readonly onReady: (port: number) => void
  /** Told when the process has ended by itself; it is started again after a delay. */
  readonly onExit: () => void
  /** Handed each connection that the process passes on. */
  readonly onSocket: (head: string, socket: Socket) => void
}

/** Starts a process of the supervisor and keeps it running until disposed. */
export function startProcessGroup(options: ProcessGroupOptions): ProcessGroup {
  const { name, logger } = options
  const stopping = new AbortController()
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => {})
  const underway = new Set<Socket>()
  let wasReady = false
  /** Whether the child that runs now has said so: before, nobody in it listens for connections. */
  let isReady = false
  let child: ChildProcess | undefined
  let collecting: PromiseWithResolvers<MetricsSnapshot> | undefined

  function onMessage(message: ToSupervisor, socket: Socket | undefined): void {
    if (message.type === 'ready') {
      wasReady = true
      isReady = true
      ready.resolve(message.url)
      options.onReady(message.port)
    } else if (message.type === 'metrics') {
      collecting?.resolve(message.metrics)
      collecting = undefined
    } else if (socket !== undefined) {
      options.onSocket(message.head, socket)
    }
  }

  async function runOnce(): Promise<void> {
    const process = fork(options.program, options.args, {
      env: options.readEnv(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'json',
    })
    child = process
    process.on('message', (message, handle) =>
      onMessage(message as ToSupervisor, handle as Socket | undefined),
    )
    const { promise: ended, resolve } = Promise.withResolvers<string>()
    // Also emitted for a message that could not be sent, which says nothing of the process: its end does.
    process.on('error', error => {
      if (process.pid === undefined) resolve(error.message)
    })
    process.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    const how = await ended
    child = undefined
    isReady = false
    for (const socket of underway) socket.destroy()
    underway.clear()
    if (stopping.signal.aborted) return
    logger.error({ group: name, how }, 'supervisor.process_ended')
    if (wasReady) return options.onExit()
    ready.reject(new Error(`The process of ${options.args.join(', ')} could not start (${how}).`))
    stopping.abort()
  }

  async function keepRunning(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const startedAt = performance.now()
      await runOnce()
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) attempt = 0
      const delayMs = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)]
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = keepRunning()

  return {
    ready: ready.promise,
    send(message) {
      if (child?.connected === true) child.send(message, ignoreLoss)
    },
    sendSocket(head, socket) {
      if (!isReady || child?.connected !== true || underway.size >= MAX_SOCKETS_UNDERWAY) {
        socket.destroy()
        return
      }
      stopReading(socket)
      underway.add(socket)
      child.send({ type: 'socket', head } satisfies FromSupervisor, socket, {}, error => {
        underway.delete(socket)
        if (error !== null) socket.destroy()
      })
    },
    collectMetrics() {
      return withDeadline(`Metrics of ${name}`, 1_000, () => {
        collecting ??= Promise.withResolvers()
        if (child?.connected === true)
          child.send({ type: 'collect-metrics' } satisfies FromSupervisor, ignoreLoss)
        return collecting.promise
      })
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      ready.reject(new Error(`${name} was stopped before it was ready`))
      const last = child
      if (last?.connected === true) last.send({ type: 'stop' } satisfies FromSupervisor, ignoreLoss)
      const killer = setTimeout(() => last?.kill('SIGKILL'), STOP_DEADLINE_MS)
      await running
      clearTimeout(killer)
    },
  }
}

/** A message that does not reach a process that is ending is of no use to it either. */
function ignoreLoss(): void {}
