import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { MAX_HEADER_BYTES, type SharedMessages, writeHeader } from './shared-messages.ts'

/** Writes text messages to a WebSocket of a server, on the connection below it. */
export interface FrameWriter {
  /**
   * Queues a text message made of two parts. What is queued in a turn of the event loop leaves in one write at its end,
   * so that a burst costs one system call and a single message does not wait.
   */
  write(head: Buffer, tail: Buffer): void
  /** Writes messages of one head at once, in one write, behind what is queued. */
  writeShared(head: Buffer, messages: SharedMessages): void
  /** Writes what is queued now, before someone else writes to the connection. */
  flush(): void
  /**
   * Resolves when the connection has taken what was written, or is closed. Of several who wait one is let through at a
   * time, and what it writes at once then counts for the next.
   */
  whenWritable(): Promise<void>
}

/** Makes the writers of a server's sockets; they are flushed together. */
export interface FrameWriters {
  /**
   * Creates the writer of a socket. Messages are dropped while it is not open. When one comes while more than
   * `maxBufferedBytes` wait to be sent, it is dropped with what is queued and `onOverflow` is called, which must close
   * the socket.
   */
  open(options: {
    socket: { readonly readyState: number }
    connection: Duplex
    maxBufferedBytes: number
    onOverflow: () => void
  }): FrameWriter
  /** Writes what is queued for all sockets now. */
  flush(): void
}

/** `readyState` of a WebSocket that is open. */
const OPEN = 1

/** Up to here the messages of a write are copied into one buffer, which is cheaper than a write of many. */
const MAX_COPIED_BYTES = 65_536

/** Who waits to write has more than this leave first, to see whether the connection takes it. */
const MAX_QUEUED_BYTES = 16_384

/** Creates the writers of a server. */
export function createFrameWriters(): FrameWriters {
  let queued: (() => void)[] = []

  function flushAll(): void {
    const flushes = queued
    queued = []
    for (const flush of flushes) flush()
  }

  return {
    flush: flushAll,
    open({ socket, connection, maxBufferedBytes, onOverflow }) {
      /** Hands what is written to the kernel, or keeps it and says so by its length. */
      const isPlain = connection instanceof Socket && !('encrypted' in connection)
      let parts: Buffer[] = []
      let bytes = 0
      let isQueued = false
      let lastTurn: Promise<void> = Promise.resolve()

      function drop(): void {
        parts = []
        bytes = 0
      }

      function hasRoom(): boolean {
        if (connection.writableLength + bytes <= maxBufferedBytes) return true
        drop()
        onOverflow()
        return false
      }

      function flush(): void {
        isQueued = false
        if (parts.length === 0) return
        if (socket.readyState === OPEN) writeFrames(connection, parts, bytes)
        drop()
      }

      async function untilWritable(): Promise<void> {
        if (bytes > MAX_QUEUED_BYTES) flush()
        while (connection.writableNeedDrain && socket.readyState === OPEN)
          await nextOf(connection, 'drain', 'close')
      }

      return {
        flush,
        write(head, tail) {
          if (socket.readyState !== OPEN) return
          if (!hasRoom()) return
          parts.push(head, tail)
          bytes += head.length + tail.length + MAX_HEADER_BYTES
          if (isQueued) return
          isQueued = true
          if (queued.push(flush) === 1) setImmediate(flushAll)
        },
        writeShared(head, messages) {
          if (socket.readyState !== OPEN) return
          if (bytes > 0) flush()
          if (!hasRoom()) return
          const frames = messages.framesWith(head)
          if (!isPlain || connection.writableLength > 0) {
            connection.write(Buffer.from(frames))
            return
          }
          connection.write(frames)
          // What the kernel has taken is the next socket's to write over.
          if (connection.writableLength > 0) messages.keep()
        },
        whenWritable() {
          lastTurn = lastTurn.then(untilWritable)
          return lastTurn
        },
      }
    },
  }
}

function writeFrames(connection: Duplex, parts: readonly Buffer[], maxBytes: number): void {
  if (maxBytes <= MAX_COPIED_BYTES) {
    const buffer = Buffer.allocUnsafe(maxBytes)
    let at = 0
    for (let i = 0; i < parts.length; i += 2) {
      const [head, tail] = [parts[i] as Buffer, parts[i + 1] as Buffer]
      at = writeHeader(buffer, at, head.length + tail.length)
      at += head.copy(buffer, at)
      at += tail.copy(buffer, at)
    }
    connection.write(buffer.subarray(0, at))
    return
  }
  connection.cork()
  for (let i = 0; i < parts.length; i += 2) {
    const [head, tail] = [parts[i] as Buffer, parts[i + 1] as Buffer]
    const start = Buffer.allocUnsafe(MAX_HEADER_BYTES + head.length)
    const at = writeHeader(start, 0, head.length + tail.length)
    connection.write(start.subarray(0, at + head.copy(start, at)))
    connection.write(tail)
  }
  connection.uncork()
}

function nextOf(emitter: Duplex, ...events: readonly string[]): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      for (const event of events) emitter.off(event, done)
      resolve()
    }
    for (const event of events) emitter.on(event, done)
  })
}
