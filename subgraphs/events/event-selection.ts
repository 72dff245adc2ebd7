import { AppError } from '../shared/errors.ts'
import { idLowerBound, isUuidV7 } from '../shared/uuid-v7.ts'

/** What the inputs `LogFilter` and `AnomalyFilter` of the SDL have in common. */
export interface EventFilterInput {
  readonly deviceIds?: readonly string[] | null | undefined
  readonly lineId?: string | null | undefined
  readonly processId?: string | null | undefined
  readonly from?: Date | null | undefined
  readonly to?: Date | null | undefined
  readonly text?: string | null | undefined
}

/** What such a filter means: every condition that is not null. */
export interface EventSelection {
  /** Without repetition, at most MAX_FILTERED_DEVICES. */
  readonly deviceIds: readonly string[] | null
  readonly lineId: string | null
  readonly processId: string | null
  /** Ids from this on: the id is the clock. */
  readonly fromId: string | null
  /** Ids below this. */
  readonly toId: string | null
  /** What the message contains, in any case of its letters; 1 to MAX_TEXT_LENGTH characters. */
  readonly text: string | null
}

/** What such a selection looks at. */
interface SelectedEvent {
  readonly id: string
  readonly deviceId: string
  readonly lineId: string | null
  readonly processId: string | null
  readonly message: string | null
}

/** Devices that one filter may name. */
const MAX_FILTERED_DEVICES = 100

/** Characters of a text to search for. */
const MAX_TEXT_LENGTH = 128

/** No index holds texts: the rows of this much time are read to search it. */
const MAX_SEARCHED_DAYS = 7
const DAY_MS = 24 * 60 * 60_000

/**
 * Reads what a filter says. Throws BAD_USER_INPUT on ids that are none, on too many devices, and on a text that is empty
 * or too long.
 */
export function readEventSelection(filter: EventFilterInput | null | undefined): EventSelection {
  const deviceIds = distinct(filter?.deviceIds)
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
    deviceIds,
    lineId: filter?.lineId ?? null,
    processId: filter?.processId ?? null,
    fromId: filter?.from == null ? null : idLowerBound(filter.from.getTime()),
    toId: filter?.to == null ? null : idLowerBound(filter.to.getTime()),
    text: filter?.text ?? null,
  }
}

/** Throws BAD_USER_INPUT on a text without a time range of at most MAX_SEARCHED_DAYS: a list needs one. */
export function requireSearchedRange(filter: EventFilterInput | null | undefined): void {
  if (filter?.text == null) return
  const { from, to } = filter
  if (from == null || to == null || to.getTime() - from.getTime() > MAX_SEARCHED_DAYS * DAY_MS) {
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.text needs filter.from and filter.to, at most ${MAX_SEARCHED_DAYS} days apart.`,
    )
  }
}

/** Throws BAD_USER_INPUT on a time range, which what is new has no use for; `what` names it in the plural. */
export function refuseRange(filter: EventFilterInput | null | undefined, what: string): void {
  if (filter?.from == null && filter?.to == null) return
  throw new AppError(
    'BAD_USER_INPUT',
    `filter.from and filter.to do not apply to new ${what}: leave them out.`,
  )
}

/** Whether nothing can meet the conditions, known without asking. */
export function isEmptyEventSelection({ deviceIds, fromId, toId }: EventSelection): boolean {
  return deviceIds?.length === 0 || (fromId !== null && toId !== null && fromId >= toId)
}

/** Makes the test whether something is selected. Cheap: it runs for all that is new. */
export function createEventTest(selection: EventSelection): (event: SelectedEvent) => boolean {
  const { lineId, processId, fromId, toId } = selection
  const deviceIds = selection.deviceIds === null ? null : new Set(selection.deviceIds)
  const text = selection.text === null ? null : lowerCase(selection.text)
  return event =>
    (deviceIds === null || deviceIds.has(event.deviceId)) &&
    (lineId === null || event.lineId === lineId) &&
    (processId === null || event.processId === processId) &&
    (fromId === null || event.id >= fromId) &&
    (toId === null || event.id < toId) &&
    (text === null || lowerCase(event.message ?? '').includes(text))
}

/** Returns the values without repetition. */
export function distinct<T>(values: readonly T[] | null | undefined): T[] | null {
  return values == null ? null : [...new Set(values)]
}

/** Throws BAD_USER_INPUT, which names where it stands, on an id that is none. */
export function requireId(name: string, id: string): void {
  if (!isUuidV7(id))
    throw new AppError('BAD_USER_INPUT', `${name} is a UUIDv7 in lower case, such as this API answers with.`)
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
