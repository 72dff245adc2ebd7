import type { GraphQLError } from 'graphql'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import type { EventBatch } from './event-payload.ts'

/** Whoever gets the results of a subscription, over whatever transport. */
export interface Subscriber {
  /** Who it is now: a renewed token changes it. */
  readonly viewer: Viewer | null
  /** Takes results; never blocks, its transport answers for what piles up. */
  next(batch: EventBatch): void
  /** Resolves when the transport has room again, or is closed: what is sent from the past waits for it. */
  whenWritable(): Promise<void>
  /** Tells the client that there is nothing more to come, and why when there is an error. Called once at most. */
  end(error?: GraphQLError): void
}
