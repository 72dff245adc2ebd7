import { findRollupFaults } from '../events/ingest/rollup-faults.ts'
import type { OpsSite } from './ops-command.ts'
import { openOpsDatabase } from './ops-database.ts'
import { parseCheckArguments } from './rebuild-rollups-arguments.ts'
import { findEventFloor } from './rebuild-rollups-floor.ts'

/** Faults that are told one by one. */
const MAX_TOLD = 50

/**
 * `check-rollups --space ID`: compares the rollups of a space with all its events, as far back as they are kept. Tells
 * what differs, and rejects when something does. It reads every event of the space.
 */
export async function runCheckRollupsCommand(args: readonly string[], site: OpsSite): Promise<void> {
  const spaceId = parseCheckArguments(args)
  await using database = openOpsDatabase(site.config)
  const { pool } = database
  const { retentionDays: siteDays } = site.config
  const from = await findEventFloor(pool, { spaceId, siteDays, now: Date.now() })
  if (from === null) throw new Error(`There is no space ${spaceId}.`)
  const faults = await findRollupFaults(pool, spaceId, { from })
  for (const { rollup, key, excess } of faults.slice(0, MAX_TOLD)) {
    const counts = Object.entries(excess).filter(([, count]) => count !== 0)
    site.print(`${rollup}  ${key}  ${counts.map(([name, count]) => `${name} ${signed(count)}`).join(' ')}`)
  }
  if (faults.length === 0) return site.print('The rollups agree with the events.')
  throw new Error(
    `${faults.length} rows of rollups differ from the events${faults.length > MAX_TOLD ? `; ${MAX_TOLD} are told` : ''}: see rebuild-rollups.`,
  )
}

/** Too many have a plus, too few a minus. */
function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count)
}
