import { isUtf8 } from 'node:buffer'
import {
  DEVICE_MESSAGES,
  type DeviceDestination,
  type DeviceItemError,
  MESSAGE_LIMITS,
} from '../../schema/device-message.ts'
import type { IngestItem } from '../../schema/ingest-entry.ts'
import type { DeviceIdentity } from '../../subgraphs/shared/device-directory.ts'
import { isUuidV7, timeOfId } from '../../subgraphs/shared/uuid-v7.ts'
import type { RisingIds } from './rising-ids.ts'

/** How far a device's clock may be ahead before its times are not believed. */
export const MAX_AHEAD_MS = 5 * 60_000
const MAX_NAME_LENGTH = 100

/** Why an item was refused: a label for metrics. */
export type RejectionReason = 'not_json' | 'wrong_shape' | 'too_many_items' | 'bad_item'

/** What a body came to. */
export interface Intake {
  /** Accepted items, in the order of the body. */
  readonly items: readonly IngestItem[]
  /** One for each refused item, or one with `index: null` when the body is refused whole. */
  readonly errors: readonly DeviceItemError[]
  readonly reason: RejectionReason | undefined
  /** Accepted items whose time was not believed. */
  readonly clocksReplaced: number
}

/** What intake needs besides the body. */
export interface IntakeContext {
  readonly device: DeviceIdentity
  /** Epoch ms; the same for the whole body. */
  readonly now: number
  readonly ids: RisingIds
  /** Times older than this are not believed. */
  readonly retentionMs: number
}

/** Whether the text is a destination that devices may SEND to. */
export function isDeviceDestination(text: string): text is DeviceDestination {
  return Object.hasOwn(DEVICE_MESSAGES, text)
}

/**
 * Turns the body of a SEND into items of the ingest log: the good ones are accepted whatever the others are.
 *
 * An id's time is the event's time (README, "What it promises"): a device's own UUIDv7 is kept unless it is
 * more than 5 minutes ahead or older than the retention; else, or without one, an id is made of `occurredAt` if
 * that is believed, and of now if not. `clockReplaced` says that the device gave a time or an id and it was not
 * kept. Ids made here rise in the order of the items of one time. Never throws.
 */
export function takeMessage(destination: DeviceDestination, body: Buffer, context: IntakeContext): Intake {
  const parsed = parseBody(body)
  if ('reason' in parsed) return refuseWhole(parsed.reason, parsed.text)
  const shape = DEVICE_MESSAGES[destination].item
  const items: IngestItem[] = []
  const errors: DeviceItemError[] = []
  let clocksReplaced = 0
  for (const [index, value] of parsed.values.entries()) {
    const result = shape.safeParse(value)
    if (!result.success) {
      errors.push(toItemError(index, result.error.issues[0]))
      continue
    }
    const item = toItem(result.data, context)
    if ('clockReplaced' in item && item.clockReplaced) clocksReplaced++
    items.push(item)
  }
  return { items, errors, reason: errors.length > 0 ? 'bad_item' : undefined, clocksReplaced }
}

/** Values of a body, or why it is refused whole. */
export type Parsed = { values: readonly unknown[] } | { reason: RejectionReason; text: string }

/** Parses the body of a SEND: an object, or an array of at most 500. Never throws. */
export function parseBody(body: Buffer): Parsed {
  if (!isUtf8(body)) return { reason: 'not_json', text: 'The body is not UTF-8.' }
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { reason: 'not_json', text: 'The body is not JSON.' }
  }
  if (typeof value !== 'object' || value === null)
    return { reason: 'wrong_shape', text: 'The body must be an object or an array of objects.' }
  if (!Array.isArray(value)) return { values: [value] }
  if (value.length <= MESSAGE_LIMITS.maxItems) return { values: value }
  return { reason: 'too_many_items', text: `The array has more than ${MESSAGE_LIMITS.maxItems} items.` }
}

function refuseWhole(reason: RejectionReason, text: string): Intake {
  return { items: [], errors: [{ index: null, field: null, reason: text }], reason, clocksReplaced: 0 }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string
  readonly keys?: readonly string[]
}

/** Tells a device what is wrong with an item of its body, by the first thing that is. */
export function toItemError(index: number, issue: Issue | undefined): DeviceItemError {
  if (issue === undefined) return { index, field: null, reason: 'Not valid.' }
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const field = [...path, issue.keys?.[0] ?? ''].join('.')
    return { index, field: field.slice(0, MAX_NAME_LENGTH), reason: 'There is no such field.' }
  }
  const field = path.length === 0 ? null : path.join('.').slice(0, MAX_NAME_LENGTH)
  return { index, field, reason: issue.message }
}

type DeviceMessage = ReturnType<(typeof DEVICE_MESSAGES)[DeviceDestination]['item']['parse']>

function toItem(message: DeviceMessage, context: IntakeContext): IngestItem {
  const { device, now } = context
  const base = { spaceId: device.spaceId, deviceId: device.deviceId, receivedAt: now }
  const occurredAt = message.occurredAt === undefined ? undefined : Date.parse(message.occurredAt)
  if ('level' in message) {
    const { level, message: text, attributes } = message
    const chosen = chooseId(message.id, occurredAt, context)
    return { ...base, kind: 'log', ...chosen, level, message: text, attributes }
  }
  if ('severity' in message) {
    const { type, severity, message: text, score, attributes, cleared = false } = message
    const chosen = chooseId(message.id, occurredAt, context)
    return { ...base, kind: 'anomaly', ...chosen, type, severity, message: text, score, attributes, cleared }
  }
  const at = occurredAt !== undefined && isBelieved(occurredAt, context) ? occurredAt : now
  if ('status' in message)
    return { ...base, kind: 'state', at, status: message.status, metrics: message.metrics }
  const { network, signal, latencyMs } = message
  return { ...base, kind: 'connectivity', at, network, signal, latencyMs }
}

function isBelieved(time: number, { now, retentionMs }: IntakeContext): boolean {
  return time <= now + MAX_AHEAD_MS && time >= now - retentionMs
}

function chooseId(givenId: string | undefined, occurredAt: number | undefined, context: IntakeContext) {
  const { now, ids } = context
  const id = givenId?.toLowerCase()
  if (id !== undefined && isUuidV7(id) && isBelieved(timeOfId(id), context))
    return { id, clockReplaced: false }
  const hasTime = occurredAt !== undefined && isBelieved(occurredAt, context)
  return {
    id: ids.idAt(hasTime ? occurredAt : now),
    clockReplaced: id !== undefined || (occurredAt !== undefined && !hasTime),
  }
}
