import type { IngestItem } from '../../../schema/ingest-entry.ts'
import { SEVERITIES } from '../../../schema/severity.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import type { LogEntry } from './log-reader.ts'

/** Part of an entry that cannot be understood, as text. */
export interface Malformed {
  readonly shard: number
  readonly entryId: string
  readonly text: string
}

/** What an entry holds. */
export interface DecodedEntry {
  readonly items: IngestItem[]
  readonly malformed: Malformed[]
}

/** Decodes an entry; never throws. A bad item costs that item only, an entry that is no JSON array the whole entry. */
export function decodeEntry({ shard, id, text }: LogEntry): DecodedEntry {
  const malformed: Malformed[] = []
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    values = undefined
  }
  if (!Array.isArray(values)) return { items: [], malformed: [{ shard, entryId: id, text }] }
  const items: IngestItem[] = []
  for (const value of values) {
    if (isIngestItem(value)) items.push(value)
    else malformed.push({ shard, entryId: id, text: JSON.stringify(value) })
  }
  return { items, malformed }
}

const LEVELS = new Set<unknown>(['DEBUG', 'INFO', 'WARN', 'ERROR'])
const KNOWN_SEVERITIES = new Set<unknown>(SEVERITIES)
const STATUSES = new Set<unknown>(['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN'])

/** Checks what the writer relies on; the door has checked the rest. */
function isIngestItem(value: unknown): value is IngestItem {
  if (!isObject(value) || !isId(value.deviceId) || !isId(value.spaceId) || !isTime(value.receivedAt))
    return false
  switch (value.kind) {
    case 'log':
      return (
        isId(value.id) &&
        LEVELS.has(value.level) &&
        typeof value.message === 'string' &&
        (value.attributes === undefined || isObject(value.attributes))
      )
    case 'anomaly':
      return (
        isId(value.id) &&
        isText(value.type) &&
        KNOWN_SEVERITIES.has(value.severity) &&
        (value.message === undefined || typeof value.message === 'string') &&
        (value.score === undefined || Number.isFinite(value.score)) &&
        (value.attributes === undefined || isObject(value.attributes))
      )
    case 'state':
      return (
        isTime(value.at) &&
        STATUSES.has(value.status) &&
        (value.metrics === undefined || isObject(value.metrics))
      )
    case 'connectivity':
      return isTime(value.at) && typeof value.network === 'string'
    case 'presence':
      return isId(value.id) && typeof value.online === 'boolean' && isTime(value.generation)
    default:
      return false
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && isUuidV7(value)
}

/** The last millisecond that MySQL's DATETIME knows: that of the year 9999. */
const MAX_TIME = 253_402_300_799_999

/** A whole number of milliseconds, or a count. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIME
}
