import type { LogEvent } from '../../schema/live-event.ts'
import { AppError } from '../shared/errors.ts'
import { idLowerBound, isUuidV7 } from '../shared/uuid-v7.ts'

type LogLevel = LogEvent['level']

/** The input `LogFilter` of the SDL. */
interface LogFilterInput {
  readonly deviceIds?: readonly string[] | null | undefined
  readonly lineId?: string | null | undefined
  readonly processId?: string | null | undefined
  readonly levels?: readonly LogLevel[] | null | undefined
  readonly from?: Date | null | undefined
  readonly to?: Date | null | undefined
  readonly text?: string | null | undefined
}

/** Which logs of a space are meant: those that meet every condition that is not null. */
export interface LogSelection {
  readonly spaceId: string
  /** Without repetition, at most MAX_FILTERED_DEVICES. */
  readonly deviceIds: readonly string[] | null
  readonly lineId: string | null
  readonly processId: string | null
  /** Without repetition, never all of them. */
  readonly levels: readonly LogLevel[] | null
  /** Ids from this on: the id is the clock. */
  readonly fromId: string | null
  /** Ids below this. */
  readonly toId: string | null
  /** What the message contains, in any case of its letters; 1 to MAX_TEXT_LENGTH characters. */
  readonly text: string | null
}

/** Devices that one filter may name. */
const MAX_FILTERED_DEVICES = 100

/** Characters of a text to search for. */
const MAX_TEXT_LENGTH = 128

/** No index holds texts: the rows of this much time are read to search it. */
const MAX_SEARCHED_DAYS = 7
const DAY_MS = 24 * 60 * 60_000

const LEVEL_COUNT = 4

/**
 * Reads the filter of a list. Throws BAD_USER_INPUT on ids that are none, on too many devices, on a text that is empty
 * or too long, and on one without a time range of at most MAX_SEARCHED_DAYS.
 */
export function readLogSelection(spaceId: string, filter: LogFilterInput | null | undefined): LogSelection {
  if (filter?.text != null) requireSearchedRange(filter)
  return readConditions(spaceId, filter)
}

/**
 * Reads the filter of a subscription. Throws BAD_USER_INPUT as a list does, and on a time range: a text needs none here,
 * as each new log is looked at anyway.
 */
export function readLiveLogSelection(
  spaceId: string,
  filter: LogFilterInput | null | undefined,
): LogSelection {
  if (filter?.from != null || filter?.to != null) {
    throw new AppError(
      'BAD_USER_INPUT',
      'filter.from and filter.to do not apply to new logs: leave them out.',
    )
  }
  return readConditions(spaceId, filter)
}

function readConditions(spaceId: string, filter: LogFilterInput | null | undefined): LogSelection {
  requireId('spaceId', spaceId)
  const deviceIds = distinct(filter?.deviceIds)
  const levels = distinct(filter?.levels)
  if (deviceIds !== null && deviceIds.length > MAX_FILTERED_DEVICES) {
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.deviceIds names ${MAX_FILTERED_DEVICES} devices at most, not ${deviceIds.length}.`,
    )
  }
  for (const id of deviceIds ?? []) requireId('filter.deviceIds', id)
  if (filter?.lineId != null) requireId('filter.lineId', filter.lineId)
  if (filter?.processId != null) requireId('filter.processId', filter.processId)
  if (filter?.text != null) requireText(filter.text)
  return {
    spaceId,
    deviceIds,
    lineId: filter?.lineId ?? null,
    processId: filter?.processId ?? null,
    levels: levels?.length === LEVEL_COUNT ? null : levels,
    fromId: filter?.from == null ? null : idLowerBound(filter.from.getTime()),
    toId: filter?.to == null ? null : idLowerBound(filter.to.getTime()),
    text: filter?.text ?? null,
  }
}

/** Whether no log can meet the conditions, known without asking. */
export function isEmptySelection({ deviceIds, levels, fromId, toId }: LogSelection): boolean {
  return (
    deviceIds?.length === 0 || levels?.length === 0 || (fromId !== null && toId !== null && fromId >= toId)
  )
}

/** Makes the test whether a log of the selection's space is selected. Cheap: it runs for every new log. */
export function createLogTest(selection: LogSelection): (log: LogEvent) => boolean {
  const { lineId, processId, levels, fromId, toId } = selection
  const deviceIds = selection.deviceIds === null ? null : new Set(selection.deviceIds)
  const text = selection.text === null ? null : lowerCase(selection.text)
  return log =>
    (deviceIds === null || deviceIds.has(log.deviceId)) &&
    (lineId === null || log.lineId === lineId) &&
    (processId === null || log.processId === processId) &&
    (levels === null || levels.includes(log.level)) &&
    (fromId === null || log.id >= fromId) &&
    (toId === null || log.id < toId) &&
    (text === null || lowerCase(log.message).includes(text))
}

/** Lowers each letter by itself, as the database does: what JavaScript makes of a sigma depends on what follows. */
function lowerCase(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase()
}

function requireText(text: string): void {
  const { length } = [...text]
  if (length < 1 || length > MAX_TEXT_LENGTH || text.includes('\0'))
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.text has 1 to ${MAX_TEXT_LENGTH} characters, without NUL, not ${length}.`,
    )
}

function requireSearchedRange({ from, to }: LogFilterInput): void {
  if (from == null || to == null || to.getTime() - from.getTime() > MAX_SEARCHED_DAYS * DAY_MS) {
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.text needs filter.from and filter.to, at most ${MAX_SEARCHED_DAYS} days apart.`,
    )
  }
}

function distinct<T>(values: readonly T[] | null | undefined): T[] | null {
  return values == null ? null : [...new Set(values)]
}

function requireId(name: string, id: string): void {
  if (!isUuidV7(id))
    throw new AppError('BAD_USER_INPUT', `${name} is a UUIDv7 in lower case, such as this API answers with.`)
}
