import type { types } from 'mediasoup'
import type { Ingest } from '../subgraphs/shared/media-port.ts'
import type { SourceHealth } from './source-health.ts'

/** Where a room's media comes from. */
export interface RoomSource {
  readonly kind: Ingest['kind']
  readonly ingest: Ingest
  readonly videoCodec: string | null
  readonly audioCodec: string | null
  /** Whether viewers may count on it: what is closed will be replaced, so their consumers are not lost. */
  readonly isSelfHealing: boolean
  /** The producers of now, at most one a kind, all in the home router. */
  listProducers(): readonly types.Producer[]
  /** Begins in a router, the first or another one. */
  open(router: types.Router): Promise<void>
  /** Looks at what has come. */
  poll(): Promise<SourceHealth>
  /** Ends it; again is the same. */
  close(): void
}
