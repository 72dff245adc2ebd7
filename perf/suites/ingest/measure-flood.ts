import type { OursReady } from '../../peers/ingest/ours.ts'
import type { CpuPins } from '../../runner/cpu-pins.ts'
import { readTreeCpuMs } from '../../runner/cpu-time.ts'
import { installDebianPackage } from '../../runner/debian-package.ts'
import { interleave } from '../../runner/interleave.ts'
import { type Program, startProgram } from '../../runner/program.ts'
import type { StompGenerator } from '../../runner/stomp-generator.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import { FLOOD_SOCKETS, FLOOD_WINDOW, type IngestPlan, LOG_BODY } from './ingest-plan.ts'

/** One contestant in one round. */
export interface FloodRound {
  readonly receiptsPerSecond: number
  readonly receipts: number
  readonly generatorShare: number
  /** Of the server and all that it stands on, for what was receipted; ours until all of it was in the table. */
  readonly cpuUsPerMessage: number
  /** Ours alone: what has been receipted, over the time until all of it was in the table. */
  readonly writtenPerSecond: number | null
}

/** What the floods came to. */
export interface FloodResult {
  readonly ours: readonly FloodRound[]
  /** None when RabbitMQ could not be measured. */
  readonly rabbitMq: readonly FloodRound[]
  /** Why it could not. */
  readonly notMeasured: string | null
  /** What the ingest log was sent per message that it took. */
  readonly logBytesPerMessage: number
  /** Receipted messages that are not in the table, or the other way round. */
  readonly lost: number
}

export interface FloodContext extends SuiteContext {
  readonly plan: IngestPlan
  readonly pins: CpuPins
  readonly generator: StompGenerator
  readonly ours: Program<OursReady>
}

const RABBITMQ = { name: 'rabbitmq-server', file: '/usr/lib/rabbitmq/bin/rabbitmq-server' }

/** Has 200 devices flood the product and RabbitMQ in turns, each with the same program and the same bodies. */
export async function measureFlood(context: FloodContext): Promise<FloodResult> {
  const { plan, generator, ours, progress } = context
  await using stack = new AsyncDisposableStack()
  await generator.open('ours', {
    url: ours.ready.doorUrl,
    logins: ours.ready.devices
      .slice(0, FLOOD_SOCKETS)
      .map(({ deviceId, credential }) => ({ login: deviceId, passcode: credential })),
    connectHeaders: {},
    sendHeaders: {},
  })
  const rabbitMq = await openRabbitMq(stack, context)
  const notMeasured = 'missing' in rabbitMq ? rabbitMq.missing : null
  const pids = { ours: ours.pid, rabbitmq: 'pid' in rabbitMq ? rabbitMq.pid : 0 }
  const contestants = notMeasured === null ? (['ours', 'rabbitmq'] as const) : (['ours'] as const)
  const { rounds, warmUpMs, roundMs } = plan.flood
  const bytesBefore = Number(await ours.ask('log bytes'))
  const rowsBefore = Number(await ours.ask('rows'))
  let taken = 0

  async function run(who: 'ours' | 'rabbitmq', round: number): Promise<FloodRound> {
    const [startedAt, cpuBefore] = [performance.now(), readTreeCpuMs(pids[who])]
    const result = await generator.flood(who, {
      // A queue of its own each round, so that none is long.
      destination: who === 'ours' ? '/app/log' : `/queue/nuvion-${round}`,
      body: LOG_BODY,
      window: FLOOD_WINDOW,
      warmUpMs,
      durationMs: roundMs,
    })
    let writtenPerSecond: number | null = null
    if (who === 'ours') {
      taken += result.taken
      if ((await ours.ask('written')) !== true) throw new Error('The writer is too far behind the door.')
      writtenPerSecond = (result.taken / (performance.now() - startedAt)) * 1_000
    }
    const cpuUsPerMessage = ((readTreeCpuMs(pids[who]) - cpuBefore) / result.taken) * 1_000
    const receiptsPerSecond = (result.receipts / result.elapsedMs) * 1_000
    progress(`flood: round ${round + 1} of ${rounds}: ${who} ${Math.round(receiptsPerSecond)} receipts/s`)
    const { receipts, generatorShare } = result
    return { receiptsPerSecond, receipts, generatorShare, cpuUsPerMessage, writtenPerSecond }
  }

  progress('flood: warming up')
  for (const who of contestants) await run(who, -1)
  const samples = await interleave(contestants, rounds, run)
  const logBytes = Number(await ours.ask('log bytes')) - bytesBefore
  const rows = Number(await ours.ask('rows')) - rowsBefore
  for (const who of contestants) await generator.close(who)
  return {
    ours: samples.get('ours') ?? [],
    rabbitMq: samples.get('rabbitmq') ?? [],
    notMeasured,
    logBytesPerMessage: logBytes / taken,
    lost: taken - rows,
  }
}

/** Starts RabbitMQ and opens its devices; returns its process, or why it cannot be measured. */
async function openRabbitMq(
  stack: AsyncDisposableStack,
  { pins, generator, progress }: FloodContext,
): Promise<{ pid: number } | { missing: string }> {
  const missing = await installDebianPackage(RABBITMQ, progress)
  if (missing !== null) return { missing }
  progress('flood: starting RabbitMQ')
  const file = new URL('../../peers/ingest/rabbitmq.ts', import.meta.url)
  const rabbitMq = stack.use(
    await startProgram<{ url: string }>({ name: 'rabbitmq', file, cpu: pins.measured }),
  )
  await generator.open('rabbitmq', {
    url: rabbitMq.ready.url,
    logins: Array.from({ length: FLOOD_SOCKETS }, () => ({ login: 'guest', passcode: 'guest' })),
    connectHeaders: { host: '/' },
    sendHeaders: { persistent: 'true', durable: 'true', 'auto-delete': 'false' },
  })
  return { pid: rabbitMq.pid }
}
