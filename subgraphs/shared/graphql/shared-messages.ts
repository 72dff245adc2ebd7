/** Text messages for many WebSockets that differ from one to the next in their heads alone. */
export interface SharedMessages {
  /**
   * The messages with this head as frames of a server. The next call writes over them, unless `keep` was called: a
   * burst for a thousand sockets is put together once, and each of them only puts its head in.
   */
  framesWith(head: Buffer): Buffer
  /** The frames of the last call are still needed. */
  keep(): void
}

/** Longest header of a frame that is not masked. */
export const MAX_HEADER_BYTES = 10

/** FIN and the opcode of a text frame (RFC 6455 §5.2). */
const FINAL_TEXT = 0x81

/** Creates messages out of what follows their heads. */
export function createSharedMessages(tails: readonly Buffer[]): SharedMessages {
  /** Where in the frames the heads are. */
  const places: number[] = []
  let headLength = 0
  let frames: Buffer | undefined

  function build(length: number): Buffer {
    const lengths = tails.map(tail => length + tail.length)
    const size = lengths.reduce((sum, message) => sum + sizeHeader(message) + message, 0)
    const built = Buffer.allocUnsafe(size)
    places.length = 0
    let at = 0
    for (const tail of tails) {
      at = writeHeader(built, at, length + tail.length)
      places.push(at)
      at += length + tail.copy(built, at + length)
    }
    headLength = length
    frames = built
    return built
  }

  return {
    framesWith(head) {
      const filled = frames !== undefined && headLength === head.length ? frames : build(head.length)
      for (const place of places) head.copy(filled, place)
      return filled
    },
    keep() {
      frames = undefined
    },
  }
}

function sizeHeader(length: number): number {
  if (length < 126) return 2
  return length < 65_536 ? 4 : MAX_HEADER_BYTES
}

/** Writes the header of a frame that is not masked and returns where it ends. */
export function writeHeader(buffer: Buffer, at: number, length: number): number {
  buffer[at] = FINAL_TEXT
  if (length < 126) {
    buffer[at + 1] = length
    return at + 2
  }
  if (length < 65_536) {
    buffer[at + 1] = 126
    return buffer.writeUInt16BE(length, at + 2)
  }
  buffer[at + 1] = 127
  return buffer.writeBigUInt64BE(BigInt(length), at + 2)
}
