import { SEVERITIES } from '../severity.ts'
import { jsonObject, moment, uuid } from './columns.ts'
import {
  bigint,
  boolean,
  double,
  index,
  int,
  mysqlTable,
  smallint,
  sql,
  text,
  uniqueIndex,
  varchar,
} from './drizzle.ts'

/** Tables that ingest and the events subgraph write both: what people work through, and what belongs to it. */

/**
 * What is wrong, from its first occurrence to its end. `id` is that of the occurrence which opened it; place, message,
 * score and attributes are those of that one, `severity` the highest so far. First and last occurrence are the least
 * and the greatest id among those that joined it. `version` rises with every change. While it is not RESOLVED there is
 * one for each device and type (`open_type`). Resolved without `resolved_by`: the device said that it is over.
 */
export const anomaly = mysqlTable(
  'anomaly',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    lineId: uuid('line_id'),
    processId: uuid('process_id'),
    type: varchar('type', { length: 64 }).notNull(),
    severity: varchar('severity', { length: 8, enum: SEVERITIES }).notNull(),
    message: text('message'),
    score: double('score'),
    attributes: jsonObject('attributes'),
    clockReplaced: boolean('clock_replaced').notNull(),
    receivedAt: moment('received_at').notNull(),
    firstOccurrenceId: uuid('first_occurrence_id').notNull(),
    lastOccurrenceId: uuid('last_occurrence_id').notNull(),
    occurrences: int('occurrences').notNull(),
    status: varchar('status', { length: 12, enum: ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] }).notNull(),
    acknowledgedAt: moment('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by'),
    resolvedAt: moment('resolved_at'),
    resolvedBy: uuid('resolved_by'),
    version: int('version').notNull(),
    openType: varchar('open_type', { length: 64 }).generatedAlwaysAs(
      sql`IF(status = 'RESOLVED', NULL, type)`,
      { mode: 'stored' },
    ),
    /** 1 for INFO to 4 for CRITICAL. */
    severityRank: smallint('severity_rank').generatedAlwaysAs(
      sql`FIELD(severity, 'INFO', 'MINOR', 'MAJOR', 'CRITICAL')`,
      { mode: 'stored' },
    ),
  },
  t => [
    uniqueIndex('anomaly_open').on(t.deviceId, t.openType),
    index('anomaly_kind').on(t.deviceId, t.type, t.resolvedAt),
    index('anomaly_device').on(t.deviceId, t.id),
    index('anomaly_space').on(t.spaceId, t.id),
    index('anomaly_status').on(t.spaceId, t.status, t.id),
    index('anomaly_last').on(t.spaceId, t.status, t.lastOccurrenceId),
    index('anomaly_severity').on(t.spaceId, t.status, t.severityRank, t.id),
    index('anomaly_type').on(t.spaceId, t.type, t.id),
    index('anomaly_line').on(t.spaceId, t.lineId, t.status, t.id),
    index('anomaly_process').on(t.spaceId, t.processId, t.status, t.id),
  ],
)

/**
 * What was said and done about an anomaly; `id` is a UUIDv7 in that order. SYSTEM ones name the `step` and, when a person
 * took it, who.
 */
export const anomalyComment = mysqlTable(
  'anomaly_comment',
  {
    id: uuid('id').primaryKey(),
    anomalyId: uuid('anomaly_id').notNull(),
    spaceId: uuid('space_id').notNull(),
    kind: varchar('kind', { length: 8, enum: ['USER', 'SYSTEM'] }).notNull(),
    step: varchar('step', {
      length: 16,
      enum: ['RAISED', 'ESCALATED', 'CLEARED', 'ACKNOWLEDGED', 'RESOLVED', 'REOPENED'],
    }),
    authorId: uuid('author_id'),
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull(),
    editedAt: moment('edited_at'),
  },
  t => [
    index('anomaly_comment_anomaly').on(t.anomalyId, t.id),
    index('anomaly_comment_space').on(t.spaceId, t.id),
  ],
)

/**
 * Video or image of an occurrence, `event_id`, of the device; it belongs to whichever anomaly that joined. The object's
 * key in the storage follows from space and id. PENDING until the device has said that it is uploaded, and it was looked at.
 */
export const clip = mysqlTable(
  'clip',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    eventId: uuid('event_id').notNull(),
    contentType: varchar('content_type', { length: 64 }).notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    durationMs: int('duration_ms'),
    status: varchar('status', { length: 8, enum: ['PENDING', 'READY'] }).notNull(),
    hasPoster: boolean('has_poster').notNull(),
    createdAt: moment('created_at').notNull(),
    completedAt: moment('completed_at'),
  },
  t => [
    index('clip_event').on(t.deviceId, t.eventId, t.id),
    index('clip_device').on(t.deviceId, t.status, t.id),
    index('clip_status').on(t.status, t.id),
    index('clip_space').on(t.spaceId, t.id),
  ],
)
