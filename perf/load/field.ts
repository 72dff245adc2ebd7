import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FieldPlan } from '../field/field-protocol.ts'
import { wrapCommand } from '../runner/cpu-pins.ts'
import { type FieldResult, startFieldControl } from './field-control.ts'

/** Devices, viewers and observers, held by Artillery. Dispose ends it. */
export interface Field extends AsyncDisposable {
  /** Starts the clock. */
  start(startAt: number): void
  /** Ends everybody once all events have come everywhere, or `graceMs` are over. Resolves with what Artillery says of itself. */
  stop(graceMs: number): Promise<ArtilleryCounts>
  readonly result: FieldResult
  /** Rejects when Artillery ends before it is told to. */
  readonly failed: Promise<never>
}

/** Artillery's own counters. */
export type ArtilleryCounts = Readonly<Record<string, number>>

/** Virtual users that arrive in a second: a storm of connections is another suite. */
const ARRIVALS_PER_SECOND = 50
const STAND_DEADLINE_MS = 60_000
const PROBE_INTERVAL_MS = 300
const END_DEADLINE_MS = 20_000
const POLL_INTERVAL_MS = 100
const MAX_OUTPUT_CHARS = 16_384

/** Opens the field: everybody is connected, and every observer has had an event of each kind, when it resolves. */
export async function openField({
  root,
  dir,
  plan,
  viewers,
  cpu,
}: {
  root: string
  /** For the socket, the script and the report. */
  dir: string
  plan: FieldPlan
  viewers: number
  cpu: number | null
}): Promise<Field> {
  const control = await startFieldControl(join(dir, 'field.sock'), plan, viewers)
  const wanted = { device: plan.devices.length, viewer: viewers, observer: plan.observers }
  const total = wanted.device + wanted.viewer + wanted.observer
  const [script, report] = [join(dir, 'field.json'), join(dir, 'artillery.json')]
  writeFileSync(script, JSON.stringify(describeScript(plan.url, total)))
  const command = [
    process.execPath,
    join(root, 'perf/artillery/node_modules/artillery/bin/run'),
    'run',
    '--quiet',
    '--output',
    report,
    script,
  ]
  const [program = '', ...args] = wrapCommand(command, cpu)
  const child = spawn(program, args, {
    cwd: join(root, 'perf/artillery'),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...{ ARTILLERY_DISABLE_TELEMETRY: 'true', NUVION_PERF_CONTROL: control.path, NODE_NO_WARNINGS: '1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT_CHARS)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const exited = once(child, 'exit')
  const failed = exited.then(([code]) => {
    throw new Error(`Artillery ended with ${code}:\n${output}`)
  })
  failed.catch(() => {})

  async function end(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS)
      await exited.catch(() => {})
      clearTimeout(killer)
    }
    await control[Symbol.asyncDispose]()
  }

  const probeAll = async (): Promise<void> => {
    const deadline = performance.now() + STAND_DEADLINE_MS
    while (control.result.probed.size < plan.observers * 2) {
      if (performance.now() > deadline)
        throw new Error(
          `Observers had no event in ${STAND_DEADLINE_MS / 1_000} s: ${control.result.failures[0] ?? ''}`,
        )
      control.send({ type: 'probe' })
      await sleep(PROBE_INTERVAL_MS)
    }
    // The last probes are on their way still.
    await sleep(2 * PROBE_INTERVAL_MS)
  }

  try {
    const deadlineMs = STAND_DEADLINE_MS + (total / ARRIVALS_PER_SECOND) * 1_000
    await Promise.race([control.waitForAll(wanted, deadlineMs), failed])
    await Promise.race([probeAll(), failed])
  } catch (error) {
    await end()
    throw error
  }
  return {
    result: control.result,
    failed,
    start: startAt => control.send({ type: 'start', startAt }),
    async stop(graceMs) {
      const deadline = performance.now() + graceMs
      while (!control.result.ledger.isComplete && performance.now() < deadline)
        await Promise.race([sleep(POLL_INTERVAL_MS), failed])
      // Whatever comes twice would come now.
      await sleep(1_000)
      control.send({ type: 'stop' })
      await Promise.race([control.done, failed, sleep(END_DEADLINE_MS)])
      await Promise.race([exited, sleep(END_DEADLINE_MS)])
      return await readCounts(report)
    },
    [Symbol.asyncDispose]: end,
  }
}

function describeScript(url: string, total: number): object {
  const duration = Math.max(1, Math.ceil(total / ARRIVALS_PER_SECOND))
  return {
    config: { target: url, engines: { nuvion: {} }, phases: [{ duration, arrivalCount: total }] },
    scenarios: [{ engine: 'nuvion', flow: [{ live: {} }] }],
  }
}

async function readCounts(file: string): Promise<ArtilleryCounts> {
  try {
    const report = JSON.parse(await readFile(file, 'utf8')) as {
      aggregate?: { counters?: Record<string, number> }
    }
    return report.aggregate?.counters ?? {}
  } catch {
    return {}
  }
}
