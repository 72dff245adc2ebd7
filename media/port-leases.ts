import { AppError } from '../subgraphs/shared/errors.ts'
import type { PortBlock } from '../subgraphs/shared/media-settings.ts'

/** The ports on which devices send. Ports go round, so that a late packet of an old source meets no new one. */
export class PortLeases {
  readonly #block: PortBlock
  readonly #taken = new Set<number>()
  #next: number

  constructor(block: PortBlock) {
    this.#block = block
    this.#next = block.first
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Takes a port that nobody has. Throws UNAVAILABLE when all are taken. */
  take(): number {
    const { first, last } = this.#block
    const size = last - first + 1
    for (let step = 0; step < size; step++) {
      const port = first + ((this.#next - first + step) % size)
      if (this.#taken.has(port)) continue
      this.#taken.add(port)
      this.#next = first + ((port - first + 1) % size)
      return port
    }
    throw new AppError('UNAVAILABLE', `All ${size} media ports for devices are in use (NUVION_MEDIA_PORTS).`)
  }

  /** Gives a port back; it may have been given back before. */
  release(port: number): void {
    this.#taken.delete(port)
  }
}
