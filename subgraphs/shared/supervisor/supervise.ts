import { AggregatorRegistry } from 'prom-client'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { MetricsSnapshot } from './messages.ts'
import { type ProcessGroup, startProcessGroup } from './process-group.ts'

/** What the supervisor of the two process groups needs. */
export interface SuperviseOptions {
  /** Program that runs the roles of its arguments. */
  readonly program: string
  /** Environment of both groups. */
  readonly env: NodeJS.ProcessEnv
  /** Roles of the group that people talk to; it listens on the public port. */
  readonly frontRoles: readonly string[]
  /** Roles of the group that devices talk to; it listens on a loopback port of its own. */
  readonly backRoles: readonly string[]
  readonly logger: Logger
}

/** Two process groups that are running. */
export interface SupervisedGroups extends Closable {
  /** Port on which the front listens. */
  readonly port: number
  /** Metrics of both groups, as Prometheus text. */
  collectMetrics(): Promise<string>
}

/**
 * Runs the roles in two processes, so that a burst of device messages and a burst of queries never share an event
 * loop, and resolves when both are ready.
 *
 * The public port is the front's. A WebSocket under /stomp that arrives there is moved to the back as it is: its
 * handle goes through this process, its bytes do not. Rejects when disposed before both are ready.
 */
export async function superviseGroups(options: SuperviseOptions): Promise<SupervisedGroups> {
  const { program, env, logger } = options
  let doorPort: number | null = null
  let publicPort: number | null = null

  const tellDoor = (port: number | null) => {
    doorPort = port
    front.send({ type: 'door', port })
  }
  const back = startProcessGroup({
    name: 'back',
    program,
    args: options.backRoles,
    readEnv: () => ({ ...env, PORT: '0', HOST: '127.0.0.1' }),
    logger,
    onReady: tellDoor,
    onExit: () => tellDoor(null),
    onSocket: (_head, socket) => socket.destroy(),
  })
  const front: ProcessGroup = startProcessGroup({
    name: 'front',
    program,
    args: options.frontRoles,
    // A free port that it was given once is its port from then on.
    readEnv: () => (publicPort === null ? env : { ...env, PORT: String(publicPort) }),
    logger,
    onReady(port) {
      publicPort = port
      front.send({ type: 'door', port: doorPort })
    },
    onExit: () => {},
    onSocket: back.sendSocket,
  })
  const groups = { front, back }
  try {
    const [port] = await Promise.all([front.ready, back.ready])
    return {
      port,
      async collectMetrics() {
        const snapshots = await Promise.allSettled(Object.values(groups).map(group => group.collectMetrics()))
        const taken = snapshots.filter(s => s.status === 'fulfilled').map(s => s.value as MetricsSnapshot)
        return await AggregatorRegistry.aggregate(taken.map(metrics => [...metrics])).metrics()
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function close(): Promise<void> {
    await Promise.all([front[Symbol.asyncDispose](), back[Symbol.asyncDispose]()])
  }
}
