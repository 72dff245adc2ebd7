import type { AnomalyState } from '../../schema/live-event.ts'
import { AppError } from '../shared/errors.ts'
import {
  createEventTest,
  distinct,
  type EventFilterInput,
  type EventSelection,
  isEmptyEventSelection,
  readEventSelection,
  refuseRange,
  requireSearchedRange,
} from './event-selection.ts'

/** The input `AnomalyFilter` of the SDL. */
export interface AnomalyFilterInput extends EventFilterInput {
  readonly severities?: readonly AnomalyState['severity'][] | null | undefined
  readonly statuses?: readonly AnomalyState['status'][] | null | undefined
  readonly types?: readonly string[] | null | undefined
}

/** Which anomalies are meant: those that meet every condition that is not null. Lists are without repetition. */
export interface AnomalySelection extends EventSelection {
  /** Never all of them. */
  readonly severities: readonly AnomalyState['severity'][] | null
  /** Never all of them. */
  readonly statuses: readonly AnomalyState['status'][] | null
  /** At most MAX_FILTERED_TYPES. */
  readonly types: readonly string[] | null
}

/** Severities, the gravest first. */
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const

/** Statuses of anomalies. */
export const STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const

/** Types that one filter may name. */
const MAX_FILTERED_TYPES = 20

/** No type is longer. */
const MAX_TYPE_LENGTH = 64

/** Reads the filter of a list. Throws BAD_USER_INPUT as that of logs does, and on too many types or such as cannot be. */
export function readAnomalySelection(filter: AnomalyFilterInput | null | undefined): AnomalySelection {
  requireSearchedRange(filter)
  return readConditions(filter)
}

/** Reads the filter of a subscription. Throws BAD_USER_INPUT as that of logs does. */
export function readLiveAnomalySelection(filter: AnomalyFilterInput | null | undefined): AnomalySelection {
  refuseRange(filter, 'anomalies')
  return readConditions(filter)
}

function readConditions(filter: AnomalyFilterInput | null | undefined): AnomalySelection {
  const severities = distinct(filter?.severities)
  const statuses = distinct(filter?.statuses)
  const types = distinct(filter?.types)
  if (types !== null && types.length > MAX_FILTERED_TYPES) {
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.types names ${MAX_FILTERED_TYPES} types at most, not ${types.length}.`,
    )
  }
  for (const type of types ?? [])
    if (type.length < 1 || type.length > MAX_TYPE_LENGTH || type.includes('\0'))
      throw new AppError(
        'BAD_USER_INPUT',
        `A type in filter.types has 1 to ${MAX_TYPE_LENGTH} characters, without NUL.`,
      )
  return {
    ...readEventSelection(filter),
    severities: severities?.length === SEVERITIES.length ? null : severities,
    statuses: statuses?.length === STATUSES.length ? null : statuses,
    types,
  }
}

/** Whether no anomaly can meet the conditions, known without asking. */
export function isEmptyAnomalySelection(selection: AnomalySelection): boolean {
  const { severities, statuses, types } = selection
  return [severities, statuses, types].some(list => list?.length === 0) || isEmptyEventSelection(selection)
}

/** Makes the test whether an anomaly is selected. Cheap: it runs for every change. */
export function createAnomalyTest(selection: AnomalySelection): (anomaly: AnomalyState) => boolean {
  const { severities, statuses, types } = selection
  const isSelected = createEventTest(selection)
  return anomaly =>
    (severities === null || severities.includes(anomaly.severity)) &&
    (statuses === null || statuses.includes(anomaly.status)) &&
    (types === null || types.includes(anomaly.type)) &&
    isSelected(anomaly)
}
