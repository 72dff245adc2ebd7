import type { Socket } from 'node:net'
import type { FromSupervisor, MetricsSnapshot, ToSupervisor } from './messages.ts'
import { stopReading } from './socket-handoff.ts'

/** A supervised process's line to its supervisor. */
export interface Supervised {
  /** Tells the supervisor something; with a connection's handle, which then belongs to the supervisor. */
  tell(message: ToSupervisor, socket?: Socket): void
  /** Told where the STOMP door's HTTP server listens on loopback; null while it is away. */
  onDoor(listener: (port: number | null) => void): void
  /** Handed each connection that another process passes on, with the head of its request. */
  onSocket(listener: (head: string, socket: Socket) => void): void
  /** Answers the supervisor's question for metrics. */
  onCollectMetrics(listener: () => Promise<MetricsSnapshot>): void
  /**
   * Told when this process is to stop, or when the supervisor is gone. Signals are not for a supervised process: a
   * terminal or an init system sends them to all processes at once, and who closes what is the supervisor's to say.
   */
  onStop(listener: (why: string) => void): void
}

/** Why a process stops that has lost its supervisor. */
const SUPERVISOR_GONE = 'the supervisor is gone'

/** How often a process looks whether it still has its supervisor. */
const LOOK_INTERVAL_MS = 1_000

/** The channel of a process that was forked: Node's `process`, or what a test puts in its place. */
export type SupervisorChannel = Pick<NodeJS.Process, 'on' | 'send' | 'connected'>

/** Opens the line to the supervisor. Answers null in a process without a channel to its parent. */
export function openSupervised(channel: SupervisorChannel): Supervised | null {
  if (channel.send === undefined) return null

  function on<T extends FromSupervisor['type']>(
    type: T,
    listener: (message: Extract<FromSupervisor, { type: T }>, socket: Socket | undefined) => void,
  ): void {
    channel.on('message', (message, handle) => {
      const told = message as FromSupervisor
      if (told.type === type) {
        listener(told as Extract<FromSupervisor, { type: T }>, handle as Socket | undefined)
      }
    })
  }

  function tell(message: ToSupervisor, socket?: Socket): void {
    if (channel.connected !== true) {
      socket?.destroy()
      return
    }
    if (socket !== undefined) stopReading(socket)
    channel.send?.(message, socket, {}, error => {
      if (error !== null) socket?.destroy()
    })
  }

  return {
    tell,
    onDoor: listener => on('door', ({ port }) => listener(port)),
    onSocket: listener => on('socket', ({ head }, socket) => socket && listener(head, socket)),
    onCollectMetrics: listener =>
      on('collect-metrics', () =>
        listener().then(
          metrics => tell({ type: 'metrics', metrics }),
          // The supervisor does not wait for long, and says what it got.
          () => {},
        ),
      ),
    onStop(listener) {
      on('stop', () => listener('the supervisor says so'))
      const look = setInterval(() => {
        if (channel.connected !== true) tellGone()
      }, LOOK_INTERVAL_MS).unref()
      function tellGone(): void {
        clearInterval(look)
        listener(SUPERVISOR_GONE)
      }
      // Looks as well: Node can close the channel without the event.
      channel.on('disconnect', tellGone)
      if (channel.connected !== true) tellGone()
    },
  }
}
