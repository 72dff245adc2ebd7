import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Someone who answers the requests and upgrades of a path. */
export interface HttpHandoff {
  /** `onStream` tells that the response is a stream without an end, which is its maker's to end from then on. */
  handleRequest(request: IncomingMessage, response: ServerResponse, onStream?: () => void): void
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Who answers everything at and under a path, whatever the method. */
export interface HttpPath {
  /** Begins and ends with a slash, like `/clips/`. */
  readonly prefix: string
  /** Without `handleUpgrade` upgrades are answered with 404. */
  readonly handler: Pick<HttpHandoff, 'handleRequest'> & Partial<HttpHandoff>
  /** Its handler sees to it itself that no body takes too long. Default: one that takes 30 s is answered with 408. */
  readonly boundsBodies?: boolean
}
