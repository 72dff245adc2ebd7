/**
 * One connection to a device, whatever carries it. The core of the door knows sockets by this only.
 *
 * An adapter calls `receive` for what arrives and `end`, once, when the connection is gone for any reason,
 * also after `close`.
 */
export interface Transport {
  /** What carries it; a label for metrics and logs. */
  readonly kind: 'websocket' | 'sockjs-websocket' | 'xhr' | 'xhr_streaming' | 'eventsource' | 'htmlfile'
  /** Bytes sent but not taken by the network yet. */
  readonly bufferedAmount: number
  /** Sends whole frames; a no-op once closed. */
  send(text: string): void
  /** Closes after what was sent has left; a peer that does not answer is dropped after a few seconds. */
  close(code: number, reason: string): void
  /** Drops the connection at once. */
  terminate(): void
  /** Stops reading; a little that was read already may still arrive. */
  pause(): void
  resume(): void
}

/** Who listens to a transport. */
export interface TransportListener {
  receive(chunk: Buffer): void
  end(): void
}

/** Takes a new connection into the door. */
export type AcceptTransport = (transport: Transport) => TransportListener
