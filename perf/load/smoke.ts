import { v7 as newId } from 'uuid'
import { openLiveSocket } from '../field/live-socket.ts'
import { createCheck } from '../runner/check.ts'
import type { Measures } from '../runner/result.ts'
import type { LoadSite } from './load-site.ts'
import { describeSite } from './run-suite.ts'
import { signIn } from './site-api.ts'
import { type Ground, STEPS } from './smoke-steps.ts'
import { createWorkload } from './workload.ts'
import { bootstrapWorld } from './world/bootstrap.ts'

/** Does each main operation once and looks at what comes back. */
export async function runSmoke(site: LoadSite): Promise<Measures> {
  const { product, world, progress } = site
  const { url } = product
  const workload = createWorkload({ suite: 'mixed', scale: 0.1, isQuick: true })
  await bootstrapWorld({ url, world, workload, mailDir: product.mailDir, progress })
  const [owner] = world.state.people
  const [device] = world.state.devices
  if (owner === undefined || device === undefined) throw new Error('The world has no owner or no device.')
  const { accessToken } = await signIn(url, owner)
  const ground: Ground = {
    ...{ url, device, token: accessToken, spaceId: world.state.spaceId ?? '', session: null },
    ...{ logId: newId(), anomalyId: newId(), anomalyType: `SMOKE_${newId().slice(-12)}` },
    ...{ heard: new Set(), receipts: new Set() },
  }
  const socket = await openLiveSocket({ url, token: accessToken, onClose: () => {} })
  const faults: string[] = []
  const steps: { name: string; ms: number; fault: string | null }[] = []
  try {
    for (const field of ['logAdded', 'anomalyRaised', 'devicePresenceChanged'])
      socket.subscribe(
        {
          query: `subscription ($spaceId: ID!) { ${field}(spaceId: $spaceId) { id } }`,
          variables: { spaceId: ground.spaceId },
        },
        ({ data }) => ground.heard.add((data?.[field] as { id: string } | undefined)?.id ?? ''),
        error => faults.push(`${field} ended: ${error}`),
      )
    // Nothing says when a subscription stands; an answer that was asked for later comes later.
    await socket.ask('{ viewer { id } }', {})
    for (const { name, run } of STEPS) {
      const startedAt = performance.now()
      const fault = await run(ground).then(
        () => null,
        error => (error instanceof Error ? error.message : String(error)),
      )
      if (fault !== null) faults.push(`${name}: ${fault}`)
      progress(`${fault === null ? 'ok    ' : 'FAILED'} ${name}${fault === null ? '' : `: ${fault}`}`)
      steps.push({ name, ms: Math.round(performance.now() - startedAt), fault })
    }
  } finally {
    ground.session?.close()
    socket.close()
  }
  return {
    checks: [
      createCheck({ name: 'smoke.failed', value: faults.length, unit: 'steps', limit: 0, better: 'lower' }),
      createCheck({
        name: 'smoke.steps',
        value: steps.length,
        unit: 'steps',
        limit: STEPS.length,
        better: 'higher',
      }),
    ],
    reasons: [],
    details: { ...describeSite(site), steps, faults },
  }
}
