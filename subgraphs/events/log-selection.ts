import type { LogEvent } from '../../schema/live-event.ts'
import {
  createEventTest,
  distinct,
  type EventFilterInput,
  type EventSelection,
  isEmptyEventSelection,
  readEventSelection,
  refuseRange,
  requireId,
  requireSearchedRange,
} from './event-selection.ts'

type LogLevel = LogEvent['level']

/** The input `LogFilter` of the SDL. */
interface LogFilterInput extends EventFilterInput {
  readonly levels?: readonly LogLevel[] | null | undefined
}

/** Which logs of a space are meant: those that meet every condition that is not null. */
export interface LogSelection extends EventSelection {
  readonly spaceId: string
  /** Without repetition, never all of them. */
  readonly levels: readonly LogLevel[] | null
}

const LEVEL_COUNT = 4

/** Reads the filter of a list. Throws BAD_USER_INPUT as readEventSelection and requireSearchedRange do. */
export function readLogSelection(spaceId: string, filter: LogFilterInput | null | undefined): LogSelection {
  requireSearchedRange(filter)
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
  refuseRange(filter, 'logs')
  return readConditions(spaceId, filter)
}

function readConditions(spaceId: string, filter: LogFilterInput | null | undefined): LogSelection {
  requireId('spaceId', spaceId)
  const levels = distinct(filter?.levels)
  return {
    spaceId,
    ...readEventSelection(filter),
    levels: levels?.length === LEVEL_COUNT ? null : levels,
  }
}

/** Whether no log can meet the conditions, known without asking. */
export function isEmptySelection(selection: LogSelection): boolean {
  return selection.levels?.length === 0 || isEmptyEventSelection(selection)
}

/** Makes the test whether a log of the selection's space is selected. Cheap: it runs for every new log. */
export function createLogTest(selection: LogSelection): (log: LogEvent) => boolean {
  const { levels } = selection
  const isSelected = createEventTest(selection)
  return log => (levels === null || levels.includes(log.level)) && isSelected(log)
}
