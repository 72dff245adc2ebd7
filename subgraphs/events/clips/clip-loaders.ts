import DataLoader from 'dataloader'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { type AnomalyClipsRequest, listClipsOfAnomalies } from './clip-list-repository.ts'

/** Branches of one statement. */
const MAX_BRANCHES = 500

/** Creates the loader of clips of anomalies of one request: one statement for up to 500 anomalies. */
export function createClipLoader(db: Db): DataLoader<AnomalyClipsRequest, ClipRecord[], string> {
  return new DataLoader(requests => listClipsOfAnomalies(db, requests), {
    maxBatchSize: MAX_BRANCHES,
    cacheKeyFn: ({ anomaly, limit }) => `${anomaly.id} ${anomaly.lastOccurrenceId} ${limit}`,
  })
}
