import type { AnomalyState } from '../../../schema/live-event.ts'
import { anomaly } from '../../../schema/mysql/anomaly-tables.ts'
import { and, eq } from '../../../schema/mysql/drizzle.ts'
import { anomalyOccurrence } from '../../../schema/mysql/ingest-tables.ts'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'

/** Tells that an anomaly has a clip, where the occurrence that it shows is known. */
export interface ClipNews {
  /** Not to be waited for; what fails is logged. */
  publish(clip: ClipRecord): void
}

/**
 * Creates what publishes CLIP_ADDED. Where the occurrence comes after its clip, the anomaly is published because of the
 * occurrence, and whoever reads it finds the clip.
 */
export function createClipNews({
  db,
  publisher,
  logger,
}: {
  db: Db
  publisher: LivePublisher
  logger: Logger
}): ClipNews {
  async function tell(clip: ClipRecord): Promise<void> {
    const state = await findAnomalyOfClip(db, clip)
    if (state !== null) await publisher.publish('anomaly', [{ change: 'CLIP_ADDED', anomaly: state }])
  }
  return {
    publish(clip) {
      tell(clip).catch(error => logger.warn({ err: error, clipId: clip.id }, 'clips.not_published'))
    },
  }
}

/** Finds the anomaly that the occurrence has joined. */
async function findAnomalyOfClip(
  db: Db,
  { spaceId, eventId, deviceId }: ClipRecord,
): Promise<AnomalyState | null> {
  const [found] = await db
    .select({ row: anomaly })
    .from(anomalyOccurrence)
    .innerJoin(anomaly, eq(anomaly.id, anomalyOccurrence.anomalyId))
    .where(
      and(
        eq(anomalyOccurrence.spaceId, spaceId),
        eq(anomalyOccurrence.id, eventId),
        eq(anomalyOccurrence.deviceId, deviceId),
      ),
    )
  if (found === undefined) return null
  const { openType: _, severityRank: __, ...row } = found.row
  return {
    ...row,
    receivedAt: row.receivedAt.getTime(),
    acknowledgedAt: row.acknowledgedAt?.getTime() ?? null,
    resolvedAt: row.resolvedAt?.getTime() ?? null,
  }
}
