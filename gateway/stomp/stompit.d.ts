declare module 'stompit' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex, Readable, Writable } from 'node:stream'

  /** The part of stompit that the tests use. */
  export class Client extends EventEmitter {
    constructor(socket: Duplex, options?: { heartbeat?: [number, number] })
    connect(headers: Record<string, string>, done: (error: Error | null) => void): void
    send(
      headers: Record<string, string>,
      options?: { onReceipt?: () => void; onError?: (error: Error) => void },
    ): Writable
    subscribe(
      headers: Record<string, string>,
      onMessage: (error: Error | null, message: Readable) => void,
    ): void
    disconnect(done: (error: Error | null) => void): void
  }
}
