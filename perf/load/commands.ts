import { formatTable } from '../runner/report.ts'
import { runCapacity } from './capacity.ts'
import type { LoadFlags } from './load-options.ts'
import { type LoadSite, openLoadSite, removeOwnSite } from './load-site.ts'
import type { Outcome } from './outcome.ts'
import { runBaseline, runCompare } from './repeated-runs.ts'
import { measuresOf, runSuite } from './run-suite.ts'
import { planSize } from './sizing.ts'
import { runSmoke } from './smoke.ts'
import { runRampedLoad, runSoak } from './steady-load.ts'
import { runStress } from './stress.ts'
import { createWorkload, type LoadSuite } from './workload.ts'
import { bootstrapWorld } from './world/bootstrap.ts'
import { cleanUpWorld } from './world/cleanup.ts'
import { prefillWorld } from './world/prefill.ts'

/** What a command is run with. */
export interface CommandContext {
  readonly root: string
  readonly flags: LoadFlags
  readonly progress: (message: string) => void
}

/** A command of the load harness. */
export interface LoadCommand {
  /** One line for `--help`. */
  readonly title: string
  /** Resolves with what was measured, or null when there is nothing to measure. Rejects when it could not be done. */
  run(context: CommandContext): Promise<Outcome | null>
}

/** A command that measures a product. */
const measuring = (title: string, run: (site: LoadSite) => Promise<Outcome>): LoadCommand => ({
  title,
  async run({ root, flags, progress }) {
    await using site = await openLoadSite(root, flags, progress)
    return await run(site)
  },
})

const suite = (name: LoadSuite, title: string): LoadCommand =>
  measuring(title, async site => {
    const run = await runSuite(site, name, { scale: site.flags.scale })
    return { measures: measuresOf(site, run), runs: [run] }
  })

/** Opens a product that nobody measures, and makes the world that the scale needs. */
async function openWorld({ root, flags, progress }: CommandContext): Promise<LoadSite> {
  const site = await openLoadSite(root, flags, progress, { isMeasured: false })
  try {
    const { product, world } = site
    const workload = createWorkload({ suite: 'mixed', scale: flags.scale, isQuick: flags.isQuick })
    await bootstrapWorld({ url: product.url, world, workload, mailDir: product.mailDir, progress })
    return site
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
}

/** By the name that `npm run perf -- <command>` takes. */
export const LOAD_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  'query-only': suite('query-only', 'people ask: dashboard, logs, anomalies, reports, 20 requests a second'),
  'realtime-only': suite('realtime-only', '50 devices send, 10 viewers follow and join broadcasts'),
  mixed: suite('mixed', 'both at once: the workload of the seed, every event accounted for'),
  smoke: measuring('each main operation once, and what comes back is looked at', async site => ({
    measures: await runSmoke(site),
    runs: [],
  })),
  load: measuring('mixed, coming up over 3 minutes and held for 7', runRampedLoad),
  stress: measuring(
    'mixed, doubled until it breaks; how it recovers, and which half breaks alone',
    runStress,
  ),
  soak: measuring('mixed for --minutes M, and whether memory grows', runSoak),
  capacity: measuring('the largest scale and rate with a p99 of 100 ms and no errors', runCapacity),
  plan: {
    title: 'rates and virtual users of business figures',
    async run({ flags: { dau, visits, peak, pauses, think, latency } }) {
      const plan = planSize({ dau, visits, peak, pauses, thinkSeconds: think, latencySeconds: latency })
      const rows = [
        ['requests a second, mean', plan.meanRate.toFixed(2)],
        ['requests a second, peak', plan.peakRate.toFixed(1)],
        ['virtual users', String(Math.round(plan.virtualUsers))],
      ]
      console.log(formatTable(rows).join('\n'))
      return null
    },
  },
  bootstrap: {
    title: 'makes the perf world: people, space, lines, processes, devices',
    async run(context) {
      await using site = await openWorld(context)
      const { people, devices, lines, processes, spaceId } = site.world.state
      const counts = `${people.length} people, ${lines.length} lines, ${processes.length} processes, ${devices.length} devices`
      context.progress(`space ${spaceId}: ${counts}`)
      return null
    },
  },
  prefill: {
    title: 'writes a million logs of the last weeks through the STOMP door; again, it writes what is missing',
    async run(context) {
      await using site = await openWorld(context)
      const { flags, progress } = context
      const { seconds, logs } = await prefillWorld({
        ...{ url: site.product.url, world: site.world, total: flags.logs, progress },
      })
      progress(`${logs} logs are in the table, after ${seconds.toFixed(1)} s`)
      return null
    },
  },
  baseline: measuring('--suite S, --runs N times, kept for compare', runBaseline),
  compare: measuring('the same again: better, worse or no difference', runCompare),
  cleanup: {
    title: 'takes the perf world away, also after an abort',
    async run({ root, flags, progress }) {
      if (flags.url === null) {
        await removeOwnSite(root)
        progress("removed the harness's own product with all its data")
        return null
      }
      await using site = await openLoadSite(root, flags, progress)
      await cleanUpWorld({ url: site.product.url, world: site.world, progress })
      progress('the world is gone; its accounts stay, and its owner could restore the space for 7 days')
      return null
    },
  },
}
