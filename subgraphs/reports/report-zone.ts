import { AppError } from '../shared/errors.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { NO_SPACE } from '../shared/permissions/rights-table.ts'
import { parseTimezone } from '../shared/text/parse-timezone.ts'
import { findTimezone } from './space-repository.ts'

/** Reads the name of a zone; null when none is given. Throws BAD_USER_INPUT when there is no such zone. */
export function readZone(timezone: string | null | undefined): string | null {
  if (timezone == null) return null
  const { value, problem } = parseTimezone(timezone)
  if (problem !== undefined) throw new AppError('BAD_USER_INPUT', `timezone ${problem}`)
  return value
}

/** Answers the zone of a space, which the caller may read. */
export async function zoneOfSpace(db: Db, spaceId: string): Promise<string> {
  const timezone = await findTimezone(db, spaceId)
  if (timezone === null) throw new AppError('NOT_FOUND', NO_SPACE)
  return timezone
}
