import { readFields, refuse } from '../shared/graphql/refusal.ts'
import { parseName } from '../shared/text/parse-name.ts'

/** What an input says of a line or process; what is left out stays. */
interface PlaceInput {
  readonly name?: string | null | undefined
  readonly position?: number | null | undefined
}

/** Reads what an edit of a line or process sets. Refuses what cannot be, naming every field. */
export function readPlaceEdit({ name, position }: PlaceInput): { name?: string; position?: number } {
  const read: { name?: string } = readFields({
    ...(name == null ? {} : { name: parseName(name) }),
    ...(position == null || position >= 0 ? {} : { position: { problem: 'is 0 or more.' } }),
  })
  return position == null ? read : { ...read, position }
}

/** Refuses a change that is based on another version than the row's. */
export function requireVersion(row: { readonly version: number }, version: number | null | undefined): void {
  if (version != null && version !== row.version)
    refuse('CONFLICT', 'version', `It has changed since: its version is ${row.version}.`)
}

/** Refuses a name that one of the others has, in whatever case. `where` says where: `The space has a line`. */
export function requireFreeName(
  others: readonly { readonly id: string; readonly name: string }[],
  { id, name }: { readonly id: string; readonly name: string },
  where: string,
  field = 'name',
): void {
  const key = name.toLowerCase()
  if (others.some(other => other.id !== id && other.name.toLowerCase() === key))
    refuse('CONFLICT', field, `${where} of the name ${name}.`)
}

/** Picks what has changed of the given fields, as `{ from, to }` by field; null when nothing has. */
export function diffFields<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): Record<string, unknown> | null {
  const changed = fields.filter(field => before[field] !== after[field])
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map(field => [field, { from: before[field], to: after[field] }]))
}

/** Returns what is of an id. Refuses with NOT_FOUND. */
export function findIn<T extends { readonly id: string }>(rows: readonly T[], id: string, field: string): T {
  return (
    rows.find(row => row.id === id) ?? refuse('NOT_FOUND', field, `The space has nothing of this ${field}.`)
  )
}
