import { parseArgs } from 'node:util'
import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { OpsError } from './ops-command.ts'
import type { SpaceQuarters } from './rebuild-rollups.ts'

/** A moment with its offset, or a day or minute of UTC. */
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads `--space ID --from TIME --to TIME`: the whole quarters of an hour of the range. Throws OpsError on anything else. */
export function parseRebuildArguments(args: readonly string[]): SpaceQuarters {
  const { space, from, to } = parse(args)
  if (space === undefined || from === undefined || to === undefined)
    throw new OpsError('rebuild-rollups takes --space, --from and --to.')
  const range = {
    spaceId: readSpaceId(space),
    fromQuarter: Math.ceil(readMoment('--from', from) / ROLLUP_BUCKET_MS),
    toQuarter: Math.floor(readMoment('--to', to) / ROLLUP_BUCKET_MS),
  }
  if (range.fromQuarter >= range.toQuarter)
    throw new OpsError('There is no whole quarter of an hour between --from and --to.')
  return range
}

/** Reads `--space ID`. Throws OpsError on anything else. */
export function parseCheckArguments(args: readonly string[]): string {
  const { space, from, to } = parse(args)
  if (space === undefined || from !== undefined || to !== undefined)
    throw new OpsError('check-rollups takes --space.')
  return readSpaceId(space)
}

function parse(args: readonly string[]) {
  const options = { space: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : String(error))
  }
}

function readSpaceId(text: string): string {
  if (!isUuidV7(text)) throw new OpsError(`${text} is not the id of a space.`)
  return text
}

function readMoment(name: string, text: string): number {
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment) || moment < 0)
    throw new OpsError(`${name} is a moment such as 2026-01-31 or 2026-01-31T08:00:00+09:00, not ${text}.`)
  return moment
}
