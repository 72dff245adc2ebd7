import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import {
  FIELD_COUNTS,
  type FieldCommand,
  type FieldMessage,
  type FieldPlan,
  type FieldReport,
} from '../field/field-protocol.ts'
import { startFieldControl } from './field-control.ts'
import { createHistogram } from './histogram.ts'

const PLAN: FieldPlan = {
  ...{
    url: 'http://127.0.0.1:1',
    spaceId: 'space',
    runTag: 'tag',
    cameras: [],
    stayMs: 0,
    awayMs: 0,
    sessions: [],
  },
  workload: { stages: [], devices: 2, intervalsMs: { state: 1, log: 1, connectivity: 1, anomaly: 1 } },
  devices: [
    { deviceId: 'a', credential: '' },
    { deviceId: 'b', credential: '' },
  ],
  observers: 1,
}

/** A worker of Artillery, as the runner sees it. */
function joinAsWorker(path: string) {
  const socket = connect(path)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  return {
    say: (message: FieldMessage) => socket.write(`${JSON.stringify(message)}\n`),
    hear: async () => JSON.parse((await lines.next()).value as string) as FieldCommand,
    close: () => socket.end(),
  }
}

function report(told: Partial<FieldReport>): FieldReport {
  return {
    ...{ type: 'report', sent: [], receipted: [], delivered: [], windows: [], failures: [] },
    ...{ counts: Object.fromEntries(FIELD_COUNTS.map(name => [name, 0])) as FieldReport['counts'] },
    ...{ loopP99Ms: 1, loopMaxMs: 1, cpuMs: 5 },
    ...told,
  }
}

it('gives each virtual user a part, and accounts for events whose news of two workers cross', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-field-'))
  {
    await using control = await startFieldControl(join(dir, 'socket'), PLAN, 1)
    const [first, second] = [joinAsWorker(control.path), joinAsWorker(control.path)]
    expect(await first.hear()).toMatchObject({ type: 'plan', plan: { spaceId: 'space' } })
    expect(await second.hear()).toMatchObject({ type: 'plan' })
    const parts = []
    for (const claim of [0, 1, 2, 3]) {
      first.say({ type: 'claim', claim })
      const answer = await first.hear()
      parts.push(answer.type === 'part' ? `${answer.part.role} ${answer.part.index}` : '')
    }
    expect(parts).toEqual(['observer 0', 'viewer 0', 'device 0', 'device 1'])

    const startAt = Date.now() - 1_000
    control.send({ type: 'start', startAt })
    expect(await first.hear()).toEqual({ type: 'start', startAt })
    // The observer's worker is quicker than that of the device which sent it.
    second.say(report({ delivered: [[0, 'early', startAt + 130]] }))
    second.say(report({ delivered: [[-1, 'early', startAt + 140]] }))
    const receipts = createHistogram()
    receipts.add(12)
    const windows = [{ second: 0, receipts: receipts.toSparse(), signaling: [] }]
    first.say(
      report({
        sent: [
          ['early', startAt + 100],
          ['lost', startAt + 200],
        ],
        ...{ receipted: ['early', 'lost'], windows },
      }),
    )
    first.say({ type: 'done' })
    second.say({ type: 'done' })
    await control.done
    expect(control.result.ledger.settle({ hasTable: false, beganAt: 0 })).toMatchObject({
      ...{ sent: 2, unreceipted: 0, lostAtObservers: 1, doubledAtObservers: 0, unknown: 0 },
      examples: ['lost did not come to observer 0'],
    })
    const events = control.result.seconds.get(0)?.events
    expect([events?.count, Math.round(events?.quantile(0) ?? 0)]).toEqual([2, 30])
    expect(control.result.seconds.get(0)?.receipts.count).toBe(1)
    expect(control.result.cpuMs).toBe(10)
    first.close()
    second.close()
  }
  await rm(dir, { recursive: true })
})
