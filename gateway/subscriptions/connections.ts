import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import { createRateError } from '../limits/limit-error.ts'

/** A connection on which a caller follows subscriptions. */
export interface Connection {
  /** Who it is now. */
  readonly viewer: Viewer | null
  /** Ends it because its session is over. */
  end(reason: string): void
}

/** The connections of all callers: how many each has, and whose session they stand on. */
export interface Connections {
  /** Adds a connection; the answer takes it out. Throws RATE_LIMITED when the caller has too many. */
  admit(caller: string, connection: Connection): () => void
  /** Counts a subscription; the answer takes it out. Throws RATE_LIMITED when the caller has too many. */
  admitSubscription(caller: string): () => void
  /** Ends the connections whose viewer's token is good no more, because its key was taken away. */
  endUnless(isInForce: (viewer: Viewer) => boolean): void
  /** Ends the connections of a session. */
  endSession(sessionId: string): void
  /** Ends the connections of a device whose credential is no good any more. */
  endDevice(deviceId: string): void
}

/** Creates the register of a gateway's connections. */
export function createConnections({
  maxConnectionsPerCaller,
  maxSubscriptionsPerCaller,
}: {
  maxConnectionsPerCaller: number
  maxSubscriptionsPerCaller: number
}): Connections {
  const connections = new Map<string, Set<Connection>>()
  const subscriptions = new Map<string, number>()

  return {
    admit(caller, connection) {
      let ofCaller = connections.get(caller)
      if (ofCaller === undefined) {
        ofCaller = new Set()
        connections.set(caller, ofCaller)
      }
      const mine = ofCaller
      if (mine.size >= maxConnectionsPerCaller)
        throw tooMany('connectionsPerCaller', maxConnectionsPerCaller, 'connections')
      mine.add(connection)
      return () => {
        mine.delete(connection)
        if (mine.size === 0 && connections.get(caller) === mine) connections.delete(caller)
      }
    },

    admitSubscription(caller) {
      const count = subscriptions.get(caller) ?? 0
      if (count >= maxSubscriptionsPerCaller)
        throw tooMany('subscriptionsPerCaller', maxSubscriptionsPerCaller, 'subscriptions')
      subscriptions.set(caller, count + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        const left = (subscriptions.get(caller) ?? 1) - 1
        if (left === 0) subscriptions.delete(caller)
        else subscriptions.set(caller, left)
      }
    },

    endUnless(isInForce) {
      for (const ofCaller of connections.values())
        for (const connection of [...ofCaller])
          if (connection.viewer !== null && !isInForce(connection.viewer))
            connection.end('The access token is good no more')
    },

    endSession(sessionId) {
      for (const ofCaller of connections.values())
        for (const connection of [...ofCaller])
          if (connection.viewer?.kind === 'user' && connection.viewer.sessionId === sessionId)
            connection.end('The session has ended')
    },

    endDevice(deviceId) {
      for (const connection of [...(connections.get(`device:${deviceId}`) ?? [])])
        connection.end('The credential was revoked')
    },
  }
}

function tooMany(limit: string, max: number, what: string) {
  return createRateError(limit, max, 0, `More than ${max} ${what} at once.`)
}
