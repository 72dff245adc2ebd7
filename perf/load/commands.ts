import type { Measures } from '../runner/result.ts'
import type { LoadFlags } from './load-options.ts'
import { openLoadSite, removeOwnSite } from './load-site.ts'
import { measuresOf, runSuite } from './run-suite.ts'
import { runSmoke } from './smoke.ts'
import { createWorkload, type LoadSuite } from './workload.ts'
import { bootstrapWorld } from './world/bootstrap.ts'
import { cleanUpWorld } from './world/cleanup.ts'
import { prefillWorld } from './world/prefill.ts'

/** What a command is run with. */
export interface CommandContext {
  readonly name: string
  readonly root: string
  readonly flags: LoadFlags
  readonly progress: (message: string) => void
}

/** A command of the load harness. */
export interface LoadCommand {
  /** One line for `--help`. */
  readonly title: string
  /** Resolves with what was measured, or null when there is nothing to measure. Rejects when it could not be done. */
  run(context: CommandContext): Promise<Measures | null>
}

const suite = (name: LoadSuite, title: string): LoadCommand => ({
  title,
  async run({ root, flags, progress }) {
    await using site = await openLoadSite(root, flags, progress)
    return measuresOf(site, await runSuite(site, name, { scale: flags.scale }))
  },
})

/** By the name that `npm run perf -- <command>` takes. */
export const LOAD_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  'query-only': suite('query-only', 'people ask: dashboard, logs, anomalies, reports, 20 requests a second'),
  'realtime-only': suite(
    'realtime-only',
    '50 devices send, 10 viewers follow and join broadcasts, every event accounted for',
  ),
  mixed: suite('mixed', 'both at once: the workload of the seed'),
  smoke: {
    title: 'each main operation once, and what comes back is looked at',
    async run({ root, flags, progress }) {
      await using site = await openLoadSite(root, flags, progress)
      return await runSmoke(site)
    },
  },
  bootstrap: {
    title: 'makes the perf world: people, space, lines, processes, devices',
    async run({ root, flags, progress }) {
      await using site = await openLoadSite(root, flags, progress)
      const { product, world } = site
      const workload = createWorkload({ suite: 'mixed', scale: flags.scale, isQuick: flags.isQuick })
      await bootstrapWorld({ url: product.url, world, workload, mailDir: product.mailDir, progress })
      const { people, devices, lines, processes, spaceId } = world.state
      progress(
        `space ${spaceId}: ${people.length} people, ${lines.length} lines, ${processes.length} processes, ${devices.length} devices`,
      )
      return null
    },
  },
  prefill: {
    title: 'writes a million logs of the last weeks through the STOMP door; again, it writes what is missing',
    async run({ root, flags, progress }) {
      await using site = await openLoadSite(root, flags, progress)
      const { product, world } = site
      const workload = createWorkload({ suite: 'mixed', scale: flags.scale, isQuick: flags.isQuick })
      await bootstrapWorld({ url: product.url, world, workload, mailDir: product.mailDir, progress })
      const { seconds, logs } = await prefillWorld({ url: product.url, world, total: flags.logs, progress })
      progress(`${logs} logs are in the table, after ${seconds.toFixed(1)} s`)
      return null
    },
  },
  cleanup: {
    title: 'takes the perf world away, also after an abort',
    async run({ root, flags, progress }) {
      if (flags.url === null) {
        removeOwnSite(root)
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
