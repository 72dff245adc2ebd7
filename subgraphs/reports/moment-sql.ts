import { type SQL, sql } from '../../schema/mysql/drizzle.ts'

/** Epoch milliseconds of a UUIDv7 in a column of that name, as MariaDB and MySQL both reckon it. */
export function msOfId(column: string): SQL {
  return sql.raw(`CAST(CONV(CONCAT(LEFT(${column}, 8), SUBSTR(${column}, 10, 4)), 16, 10) AS SIGNED)`)
}

/** Epoch milliseconds of a moment in a column of that name, whatever the time zone of the session. */
export function msOfMoment(column: string): SQL {
  return sql.raw(`TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${column}) DIV 1000`)
}
