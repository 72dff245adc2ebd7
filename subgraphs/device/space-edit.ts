import { readFields, refuse } from '../shared/graphql/refusal.ts'
import type { Right } from '../shared/permissions/rights-table.ts'
import { parseName } from '../shared/text/parse-name.ts'
import { parseTimezone } from '../shared/text/parse-timezone.ts'
import type { SpaceParent } from './model.ts'
import type { UpdateSpaceInput } from './resolver-types.generated.ts'

/** What an edit sets; what is left out stays. */
export type SpaceEdit = Partial<Pick<SpaceParent, 'name' | 'timezone' | 'retentionDays'>>

/** The right that the fields of an edit take, whatever their values are: the greater one when they take several. */
export function rightOfEdit({ name, timezone }: UpdateSpaceInput): Right {
  return name != null || timezone != null ? 'space.edit' : 'space.set-retention'
}

/** Reads the values of an edit. Refuses what cannot be, and an edit of nothing. */
export function readSpaceEdit(
  { name, timezone, retentionDays }: UpdateSpaceInput,
  maxRetentionDays: number,
): SpaceEdit {
  const isOutOfRange = retentionDays != null && (retentionDays < 1 || retentionDays > maxRetentionDays)
  const read = readFields({
    name: name == null ? undefined : parseName(name),
    timezone: timezone == null ? undefined : parseTimezone(timezone),
    retentionDays: isOutOfRange
      ? { problem: `is 1 to ${maxRetentionDays}, the days that the site keeps, or null.` }
      : undefined,
  })
  const edit: SpaceEdit = {
    ...(read.name === undefined ? {} : { name: read.name }),
    ...(read.timezone === undefined ? {} : { timezone: read.timezone }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
  }
  if (Object.keys(edit).length === 0)
    refuse('BAD_USER_INPUT', null, 'Say what to change: name, timezone or retentionDays.')
  return edit
}

/** Picks what an edit changes, as `{ from, to }` by field; null when that is nothing. */
export function diffSpace(space: SpaceParent, edit: SpaceEdit): Record<string, unknown> | null {
  const changed = (Object.keys(edit) as (keyof SpaceEdit)[]).filter(field => edit[field] !== space[field])
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map(field => [field, { from: space[field], to: edit[field] }]))
}
