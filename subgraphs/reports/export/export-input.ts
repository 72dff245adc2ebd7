import { AppError } from '../../shared/errors.ts'
import { parseTimezone } from '../../shared/text/parse-timezone.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { readReportRange } from '../report-range.ts'
import type { ExportReportInput, UserError } from '../resolver-types.generated.ts'
import type { ExportRequest } from './export-request.ts'

/** What came of reading an input: the request, or all that the caller has to mend. */
export type ReadExport =
  | { readonly request: ExportRequest; readonly userErrors?: undefined }
  | { readonly request?: undefined; readonly userErrors: readonly UserError[] }

/** Devices and types that one export may name: they have to fit into a link. */
const MAX_DEVICES = 100
const MAX_TYPES = 20

/** As the column has it. */
const MAX_TYPE_LENGTH = 64

/** Which kinds take a field. Fields that are not here are for all. */
const TAKERS = {
  deviceIds: ['ANOMALIES', 'LOGS'],
  lineId: ['ANOMALIES', 'LOGS'],
  processId: ['ANOMALIES', 'LOGS'],
  levels: ['LOGS'],
  severities: ['ANOMALIES'],
  types: ['ANOMALIES'],
  interval: ['ANOMALY_REPORT', 'LOG_REPORT'],
  groupBy: ['ANOMALY_REPORT', 'LOG_REPORT'],
} as const satisfies Partial<Record<keyof ExportReportInput, readonly ExportRequest['kind'][]>>

const GROUPS = {
  ANOMALY_REPORT: ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'],
  LOG_REPORT: ['LINE', 'PROCESS', 'DEVICE', 'LEVEL'],
} as const

/** Reads what a user wants to export; `now` (epoch milliseconds) is the moment of asking, where the file ends. */
export function readExportInput(input: ExportReportInput, userId: string, now: number): ReadExport {
  const { kind, spaceId } = input
  const userErrors: UserError[] = []
  const wrong = (field: string, message: string) =>
    userErrors.push({ code: 'BAD_USER_INPUT', message: `${field} ${message}`, field })

  for (const [field, kinds] of Object.entries(TAKERS))
    if (input[field as keyof typeof TAKERS] != null && !(kinds as readonly string[]).includes(kind))
      wrong(field, `is for ${kinds.join(' and ')}, not for ${kind}.`)
  const ids = { spaceId, lineId: input.lineId, processId: input.processId }
  for (const [field, id] of Object.entries(ids)) if (id != null && !isUuidV7(id)) wrong(field, ID_RULE)
  const deviceIds = distinct(input.deviceIds)
  if (deviceIds !== null && deviceIds.length > MAX_DEVICES)
    wrong('deviceIds', `has ${MAX_DEVICES} devices at most, not ${deviceIds.length}.`)
  else if (deviceIds?.some(id => !isUuidV7(id))) wrong('deviceIds', `are ids, each of which ${ID_RULE}`)
  const types = distinct(input.types)
  if (types !== null && types.length > MAX_TYPES)
    wrong('types', `has ${MAX_TYPES} types at most, not ${types.length}.`)
  else if (types?.some(type => type.length > MAX_TYPE_LENGTH))
    wrong('types', `have ${MAX_TYPE_LENGTH} characters at most.`)
  const zone = input.timezone == null ? null : parseTimezone(input.timezone)
  if (zone?.problem !== undefined) wrong('timezone', zone.problem)
  const groupBy = distinct(input.groupBy) ?? []
  if (kind === 'ANOMALY_REPORT' || kind === 'LOG_REPORT') {
    const allowed: readonly string[] = GROUPS[kind]
    const other = groupBy.find(group => !allowed.includes(group))
    if (other !== undefined) wrong('groupBy', `has no ${other} in ${kind}: ${allowed.join(', ')}.`)
  }
  const interval = input.interval ?? 'DAY'
  const rangeProblem = findRangeProblem(input, interval)
  if (rangeProblem !== null) wrong('to', `does not fit: ${rangeProblem}`)
  if (userErrors.length > 0) return { userErrors }
  return {
    request: {
      kind,
      userId,
      spaceId,
      from: input.from.getTime(),
      to: Math.min(input.to.getTime(), now),
      deviceIds,
      lineId: input.lineId ?? null,
      processId: input.processId ?? null,
      levels: distinct(input.levels),
      severities: distinct(input.severities),
      types,
      timezone: zone?.value ?? null,
      bom: input.bom ?? false,
      interval,
      groupBy,
    },
  }
}

const ID_RULE = 'is a UUIDv7 in lower case, such as this API answers with.'

/** A list of events has no longest range; what is kept bounds it. */
function findRangeProblem({ kind, from, to }: ExportReportInput, interval: ExportRequest['interval']) {
  const isReport = kind === 'ANOMALY_REPORT' || kind === 'LOG_REPORT'
  if (!isReport) return from.getTime() < to.getTime() ? null : 'from is before to.'
  try {
    readReportRange(interval, from, to)
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_USER_INPUT') return error.message
    throw error
  }
}

function distinct<T>(values: readonly T[] | null | undefined): T[] | null {
  return values == null ? null : [...new Set(values)]
}
