import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { LineParent, ProcessParent } from './model.ts'
import type { UserError } from './resolver-types.generated.ts'
import { findLines, findProcesses } from './space-repository.ts'

/** Where a device is to stand; null: nowhere, left out: as before. */
export interface PlaceInput {
  readonly lineId?: string | null | undefined
  readonly processId?: string | null | undefined
}

/** The lines and processes of a space that inputs name, by id. */
export interface Places {
  readonly lines: ReadonlyMap<string, LineParent>
  readonly processes: ReadonlyMap<string, ProcessParent>
}

/** Where a device stands. */
interface Standing {
  readonly lineId: string | null
  readonly processId: string | null
}

/** Finds the lines and processes that inputs name, those of the space that have not been removed: two statements. */
export async function findPlaces(
  tx: Db,
  spaceId: string,
  inputs: readonly PlaceInput[],
  before?: Standing,
): Promise<Places> {
  const named = before === undefined ? inputs : [...inputs, before]
  return {
    lines: await find(
      spaceId,
      named.map(({ lineId }) => lineId),
      ids => findLines(tx, ids),
    ),
    processes: await find(
      spaceId,
      named.map(({ processId }) => processId),
      ids => findProcesses(tx, ids),
    ),
  }
}

async function find<Row extends { id: string; spaceId: string; removed: boolean }>(
  spaceId: string,
  given: readonly (string | null | undefined)[],
  findByIds: (ids: string[]) => Promise<Row[]>,
): Promise<Map<string, Row>> {
  const ids = new Set(given.filter(id => id != null && isUuidV7(id)) as string[])
  const rows = ids.size === 0 ? [] : await findByIds([...ids])
  return new Map(rows.filter(row => row.spaceId === spaceId && !row.removed).map(row => [row.id, row]))
}

/**
 * Decides where a device stands that stood at `before`: a process brings its line with it, and is given up for a line that
 * is not its own. Answers what is wrong with the input too.
 */
export function standAt(
  places: Places,
  input: PlaceInput,
  before: Standing,
): Standing & { problems: UserError[] } {
  const problems: UserError[] = []
  const pick = <Row>(field: keyof PlaceInput, rows: ReadonlyMap<string, Row>): Row | null => {
    const id = input[field]
    const row = id == null ? null : (rows.get(id) ?? null)
    if (id != null && row === null)
      problems.push({ code: 'NOT_FOUND', message: `The space has nothing of this ${field}.`, field })
    return row
  }
  const line = pick('lineId', places.lines)
  const given = pick('processId', places.processes)
  const process =
    input.processId === undefined ? (places.processes.get(before.processId ?? '') ?? null) : given
  let lineId = input.lineId === undefined ? before.lineId : (line?.id ?? null)
  let processId = process?.id ?? null
  if (process?.lineId != null && process.lineId !== lineId) {
    if (input.lineId == null && given !== null) lineId = process.lineId
    else if (given === null) processId = null
    else {
      const message = 'This process belongs to another line than lineId.'
      problems.push({ code: 'BAD_USER_INPUT', message, field: 'processId' })
    }
  }
  return { lineId, processId, problems }
}
