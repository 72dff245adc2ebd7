import type { MediaEvent, SessionEvent } from '../subgraphs/shared/media-port.ts'

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq' | 'sessionId' | 'deviceId'> : never

/** News of a session before it has its number. */
export type SessionNews = WithoutSeq<SessionEvent>

/** Who follows media. */
export class MediaNews {
  readonly #listeners = new Set<(event: MediaEvent) => void>()

  /** Tells everybody who listens. */
  publish(event: MediaEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Adds a listener; the returned function takes it away. */
  add(listener: (event: MediaEvent) => void): () => void {
    // A function of its own for each call, so that one may listen twice.
    const own = (event: MediaEvent) => listener(event)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }
}
