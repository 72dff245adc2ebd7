import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import type { OpsSite } from './ops-command.ts'
import { openOpsDatabase } from './ops-database.ts'
import { createProgressBar } from './progress-bar.ts'
import { rebuildRollups } from './rebuild-rollups.ts'
import { parseRebuildArguments } from './rebuild-rollups-arguments.ts'
import { findEventFloor, findLostEvents } from './rebuild-rollups-floor.ts'

/** Quarters of one transaction, behind which late events of these quarters wait; fewer when it takes long. */
const MAX_QUARTERS = 4
const SLOW_MS = 500

/**
 * `rebuild-rollups --space ID --from TIME --to TIME`: counts the events of whole quarters of an hour anew, beside a
 * product that runs. Refuses a range whose events are not all there any more. What is done is kept: a run that was
 * interrupted says with which `--from` to go on.
 */
export async function runRebuildRollupsCommand(args: readonly string[], site: OpsSite): Promise<void> {
  const range = parseRebuildArguments(args)
  let done = range.fromQuarter
  await using database = openOpsDatabase(site.config)
  const { pool } = database
  await requireEvents()
  const lost = await findLostEvents(pool, range)
  if (lost !== null)
    throw new Error(
      `The events are gone of which there are counts before ${at(lost)}: rebuilding would lose those. ${goOn(lost)}`,
    )

  const interrupt = new AbortController()
  const onSignal = () => interrupt.abort(new Error('Interrupted.'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  const bar = createProgressBar({ title: 'rollups', total: range.toQuarter - range.fromQuarter })
  let events = 0
  try {
    for (let size = MAX_QUARTERS; done < range.toQuarter; ) {
      interrupt.signal.throwIfAborted()
      await requireEvents()
      const end = Math.min(done + size, range.toQuarter)
      const startedAt = performance.now()
      events += await rebuildRollups(pool, { ...range, fromQuarter: done, toQuarter: end }, interrupt.signal)
      const tookMs = performance.now() - startedAt
      size = tookMs > SLOW_MS ? Math.max(1, size >> 1) : Math.min(MAX_QUARTERS, size * 2)
      done = end
      bar.update(done - range.fromQuarter, at(done))
    }
  } catch (cause) {
    throw new Error(`Done before ${at(done)}. ${goOn(done)}`, { cause })
  } finally {
    bar.end()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
  site.print(`${done - range.fromQuarter} quarters of an hour rebuilt, of ${events} events`)

  /** The retention goes on while this runs. */
  async function requireEvents(): Promise<void> {
    const { retentionDays: siteDays } = site.config
    const floor = await findEventFloor(pool, { spaceId: range.spaceId, siteDays, now: Date.now() })
    if (floor === null) throw new Error(`There is no space ${range.spaceId}.`)
    const first = Math.ceil(floor / ROLLUP_BUCKET_MS)
    if (done < first)
      throw new Error(
        `Events before ${at(first)} are past their retention, so they are not all there. ${goOn(first)}`,
      )
  }

  function goOn(quarter: number): string {
    const { spaceId, toQuarter } = range
    if (quarter >= toQuarter) return 'There is nothing to rebuild in this range.'
    return `Go on with: npm run ops -- rebuild-rollups --space ${spaceId} --from ${at(quarter)} --to ${at(toQuarter)}`
  }
}

function at(quarter: number): string {
  return new Date(quarter * ROLLUP_BUCKET_MS).toISOString()
}
