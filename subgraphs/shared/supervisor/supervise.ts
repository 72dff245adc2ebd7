import { AggregatorRegistry } from 'prom-client'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { type ProcessGroup, startProcessGroup } from './process-group.ts'

/** Tells a process that its parent is this supervisor, and not some other program with an IPC channel. */
const SUPERVISED = { NUVION_SUPERVISED: '1' }

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
  /** Resolves with the address of the front when both are ready. Rejects when one of them cannot start. */
  readonly ready: Promise<string>
  /** Metrics of both groups, as Prometheus text. */
  collectMetrics(): Promise<string>
}

/**
 * Runs the roles in two processes, so that a burst of device messages and a burst of queries never share an event
 * loop. Returns at once; whoever it is handed to closes it.
 *
 * The public port is the front's. A WebSocket under /stomp that arrives there is moved to the back as it is: its
 * handle goes through this process, its bytes do not.
 */
export function superviseGroups(options: SuperviseOptions): SupervisedGroups {
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
    readEnv: () => ({ ...env, ...SUPERVISED, PORT: '0', HOST: '127.0.0.1' }),
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
    readEnv: () => ({ ...env, ...SUPERVISED, ...(publicPort === null ? {} : { PORT: String(publicPort) }) }),
    logger,
    onReady(port) {
      publicPort = port
      front.send({ type: 'door', port: doorPort })
    },
    onExit: () => {},
    onSocket: back.sendSocket,
  })
  const groups = [front, back]
  const ready = Promise.all(groups.map(group => group.ready)).then(([url = '']) => url)
  ready.catch(() => {})

  return {
    ready,
    async collectMetrics() {
      const snapshots = await Promise.allSettled(groups.map(group => group.collectMetrics()))
      const taken = snapshots
        .filter(snapshot => snapshot.status === 'fulfilled')
        .map(({ value }) => [...value])
      return await AggregatorRegistry.aggregate(taken).metrics()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(groups.map(group => group[Symbol.asyncDispose]()))
    },
  }
}
