import type { Pool, RowDataPacket } from 'mysql2/promise'

/** What people call a space and what is in it, removed ones too, by id. */
export interface PlaceNames {
  readonly space: { readonly name: string; readonly timezone: string }
  readonly devices: ReadonlyMap<string, { readonly code: string; readonly name: string }>
  readonly lines: ReadonlyMap<string, string>
  readonly processes: ReadonlyMap<string, string>
}

/** Reads the names of a space, as they are now: at most some 20,000, four statements. Null when there is no such space. */
export async function findPlaceNames(pool: Pool, spaceId: string): Promise<PlaceNames | null> {
  const select = async (sql: string) => (await pool.query<RowDataPacket[]>(sql, [spaceId]))[0]
  const [[space], devices, lines, processes] = await Promise.all([
    select('SELECT name, timezone FROM space WHERE id = ?'),
    select('SELECT id, code, name FROM device WHERE space_id = ?'),
    select('SELECT id, name FROM line WHERE space_id = ?'),
    select('SELECT id, name FROM process WHERE space_id = ?'),
  ])
  if (space === undefined) return null
  return {
    space: { name: space.name, timezone: space.timezone },
    devices: new Map(devices.map(({ id, code, name }) => [id, { code, name }])),
    lines: new Map(lines.map(({ id, name }) => [id, name])),
    processes: new Map(processes.map(({ id, name }) => [id, name])),
  }
}
