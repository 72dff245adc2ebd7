import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'

/** ISO 8601 as RFC 3339 narrows it, seconds optional: date, time, and Z or an offset. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/

/**
 * A moment. Reads ISO 8601 with an offset and nothing else (BAD_USER_INPUT), digits below the millisecond cut off;
 * writes UTC with milliseconds. Resolvers answer with a Date or with epoch milliseconds.
 */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (value instanceof Date) return value.toISOString()
    if (typeof value === 'number') return new Date(value).toISOString()
    throw new TypeError(`A DateTime is resolved to a Date or epoch milliseconds, not ${typeof value}`)
  },
  parseValue: parseDateTime,
  parseLiteral: node => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
})

/** A JSON object: neither a list nor a single value (BAD_USER_INPUT). Named `JSON` in the SDL. */
export const JsonObject = new GraphQLScalarType<Record<string, unknown>, Record<string, unknown>>({
  name: 'JSON',
  serialize(value) {
    if (isObject(value)) return value
    throw new TypeError(
      `JSON is resolved to an object, not ${Array.isArray(value) ? 'a list' : typeof value}`,
    )
  },
  parseValue: parseJsonObject,
  parseLiteral: (node, variables) => parseJsonObject(valueFromASTUntyped(node, variables)),
})

/** The scalars that every subgraph declares; spread them into its resolvers. */
export const scalarResolvers = { DateTime, JSON: JsonObject } as const

function parseDateTime(value: unknown): Date {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null
  if (match === null)
    throw badInput('A DateTime looks like 2026-01-31T08:00:00Z or 2026-01-31T08:00:00+09:00.')
  const moment = new Date(match[0].toUpperCase())
  // Date rolls 30 February over into March.
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (Number.isNaN(moment.getTime()) || day > daysInMonth)
    throw badInput(`${match[0]} is not a moment of the calendar.`)
  return moment
}

function parseJsonObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw badInput('JSON is an object here, such as { "key": 1 }.')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}
