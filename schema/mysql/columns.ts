import { customType } from './drizzle.ts'

/** A UUIDv7 as 36 ASCII characters compared byte by byte, so that text order is time order. */
export const uuid = customType<{ data: string; driverData: string }>({
  dataType: () => 'char(36) character set ascii collate ascii_bin',
})

/** A moment in UTC with milliseconds. */
export const moment = customType<{ data: Date; driverData: Date | string }>({
  dataType: () => 'datetime(3)',
  // Drizzle makes mysql2 answer with text, `2026-01-31 08:00:00.000`.
  fromDriver: value => (value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`)),
})

/** A SHA-256 digest, 32 bytes. */
export const digest = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'binary(32)' })

/** JSON text. MariaDB has no JSON type of its own and answers with text, MySQL with a value; both are read. */
export const jsonObject = customType<{ data: Record<string, unknown>; driverData: string | object }>({
  dataType: () => 'json',
  toDriver: value => JSON.stringify(value),
  fromDriver: value => (typeof value === 'string' ? JSON.parse(value) : value) as Record<string, unknown>,
})
