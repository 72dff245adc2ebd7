import type { OursReady } from '../peers/ingest/ours.ts'
import { createCheck } from '../runner/check.ts'
import { chooseCpuPins } from '../runner/cpu-pins.ts'
import type { FactoryPaceResult } from '../runner/factory-pace.ts'
import { judgeRatio } from '../runner/judge-ratio.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { startProgram } from '../runner/program.ts'
import { ratios, summarise } from '../runner/statistics.ts'
import { startStompGenerator } from '../runner/stomp-generator.ts'
import type { Suite } from '../runner/suite.ts'
import {
  FLOOD_SOCKETS,
  FLOOD_WINDOW,
  FULL_PLAN,
  type IngestPlan,
  LIVE_QUERY,
  LOG_BODY,
  QUICK_PLAN,
  SEED_DEVICES,
  SEED_MESSAGES,
  SEED_VIEWERS,
} from './ingest/ingest-plan.ts'
import { type FloodContext, type FloodResult, type FloodRound, measureFlood } from './ingest/measure-flood.ts'
import { measureWriter } from './ingest/measure-writer.ts'

/** Past this share of its CPU the generator decides how fast receipts come. */
const MAX_GENERATOR_SHARE = 0.95

const LIMITS = { rateVsRabbitMq: 2.5, writerVsBareInsert: 0.6, eventToSubscriberMs: 50 }

/** How fast messages are taken, receipted, written and passed on, against RabbitMQ and a loop of bare INSERTs. */
export const ingestSuite: Suite = {
  title: 'receipts, writing and live events of what devices send, against RabbitMQ and bare INSERTs',

  async run(context) {
    const plan = context.isQuick ? QUICK_PLAN : FULL_PLAN
    const pins = chooseCpuPins()
    await using generator = await startStompGenerator({ cpu: pins.around })
    const endWatch = watchMachine()
    const { flood, pace } = await measureProduct({ ...context, plan, pins, generator })
    const writer = await measureWriter({ ...context, plan })
    const use = endWatch()

    const rates = (rounds: readonly FloodRound[]) => rounds.map(round => round.receiptsPerSecond)
    const vsRabbitMq = summarise(
      flood.notMeasured === null ? ratios(rates(flood.ours), rates(flood.rabbitMq)) : [],
    )
    const cpu = (rounds: readonly FloodRound[]) => rounds.map(round => round.cpuUsPerMessage)
    const perCore = summarise(flood.notMeasured === null ? ratios(cpu(flood.rabbitMq), cpu(flood.ours)) : [])
    const vsBareInsert = summarise(ratios(writer.writer, writer.bare))
    const ratio = (name: string, value: number, limit: number | null) =>
      createCheck({ name, value, unit: 'ratio', limit, better: 'higher' })
    const lower = (name: string, value: number, unit: string, limit: number | null) =>
      createCheck({ name, value, unit, limit, better: 'lower' })
    return {
      checks: [
        ratio('ingest.rate_vs_rabbitmq', vsRabbitMq.median, LIMITS.rateVsRabbitMq),
        ratio('ingest.rate_per_core_vs_rabbitmq', perCore.median, null),
        ratio('ingest.writer_vs_bare_insert', vsBareInsert.median, LIMITS.writerVsBareInsert),
        lower('ingest.receipt_p99_ms', pace.receiptMs.p99, 'ms', null),
        lower('ingest.event_to_subscriber_p95_ms', pace.eventMs.p95, 'ms', LIMITS.eventToSubscriberMs),
        lower('ingest.log_bytes_per_message', flood.logBytesPerMessage, 'bytes', null),
      ],
      reasons: [
        ...judgeMachine(use),
        ...(flood.notMeasured === null
          ? judgeRatio('ingest.rate_vs_rabbitmq', vsRabbitMq, plan.maxUncertainty)
          : [`ingest.rate_vs_rabbitmq is not measured. ${flood.notMeasured}`]),
        ...judgeRatio('ingest.writer_vs_bare_insert', vsBareInsert, plan.maxUncertainty),
        ...judgeFlood(flood, plan),
        ...judgePace(pace),
      ],
      details: {
        machine: describeMachine(),
        machineUse: use,
        pins,
        plan,
        ratios: {
          'ingest.rate_vs_rabbitmq': vsRabbitMq,
          'ingest.rate_per_core_vs_rabbitmq': perCore,
          'ingest.writer_vs_bare_insert': vsBareInsert,
        },
        flood: {
          sockets: FLOOD_SOCKETS,
          window: FLOOD_WINDOW,
          bodyBytes: Buffer.byteLength(LOG_BODY),
          lost: flood.lost,
          ours: describeRounds(flood.ours),
          rabbitMq: describeRounds(flood.rabbitMq),
        },
        writer: {
          rowsPerSecond: summarise(writer.writer),
          bareRowsPerSecond: summarise(writer.bare),
          samples: writer,
        },
        pace,
      },
    }
  },
}

/** One product takes the floods and then, on an idle ingest log, the seed's messages. */
async function measureProduct(
  context: Omit<FloodContext, 'ours'>,
): Promise<{ flood: FloodResult; pace: FactoryPaceResult }> {
  const { plan, pins, generator, progress } = context
  progress('starting the product on private servers')
  await using ours = await startProgram<OursReady>({
    name: 'ours',
    file: new URL('../peers/ingest/ours.ts', import.meta.url),
    options: { devices: FLOOD_SOCKETS, users: SEED_VIEWERS },
    cpu: pins.measured,
  })
  const { doorUrl, graphqlUrl, spaceId, devices, tokens } = ours.ready
  progress(`${SEED_DEVICES} devices and ${SEED_VIEWERS} people at the seed's rates`)
  await generator.open('seed', {
    url: doorUrl,
    logins: devices
      .slice(0, SEED_DEVICES)
      .map(({ deviceId, credential }) => ({ login: deviceId, passcode: credential })),
    connectHeaders: {},
    sendHeaders: {},
  })
  const pace = await generator.pace('seed', {
    devices: SEED_DEVICES,
    messages: SEED_MESSAGES,
    followed: '/app/log',
    viewers: { url: graphqlUrl, tokens, payload: { query: LIVE_QUERY, variables: { spaceId } } },
    ...plan.pace,
  })
  await generator.close('seed')
  await ours.ask('written')
  const flood = await measureFlood({ ...context, ours })
  return { flood, pace }
}

function judgeFlood({ ours, rabbitMq, lost }: FloodResult, { flood: { minReceipts } }: IngestPlan): string[] {
  const reasons: string[] = []
  if (lost !== 0)
    reasons.push(`${lost} receipted messages are not in the table (or, below zero, too many are).`)
  for (const [name, rounds] of Object.entries({ ours, rabbitMq })) {
    if (rounds.length === 0) continue
    const fewest = Math.min(...rounds.map(({ receipts }) => receipts))
    if (fewest < minReceipts)
      reasons.push(`${name} receipted ${fewest} messages in a round; ${minReceipts} are needed.`)
    const share = summarise(rounds.map(({ generatorShare }) => generatorShare)).median
    if (share > MAX_GENERATOR_SHARE)
      reasons.push(`The generator used ${Math.round(share * 100)} % of its CPU against ${name}.`)
  }
  return reasons
}

function judgePace({ eventsDue, eventsReceived, eventsDoubled }: FactoryPaceResult): string[] {
  if (eventsReceived === eventsDue && eventsDoubled === 0) return []
  return [
    `Of ${eventsDue} events that were due, ${eventsReceived} came, and ${eventsDoubled} more than once.`,
  ]
}

function describeRounds(rounds: readonly FloodRound[]): Record<string, unknown> {
  const written = rounds.flatMap(({ writtenPerSecond }) => writtenPerSecond ?? [])
  return {
    receiptsPerSecond: summarise(rounds.map(({ receiptsPerSecond }) => receiptsPerSecond)),
    cpuUsPerMessage: summarise(rounds.map(({ cpuUsPerMessage }) => cpuUsPerMessage)),
    writtenPerSecond: written.length > 0 ? summarise(written) : null,
    generatorShare: summarise(rounds.map(({ generatorShare }) => generatorShare)).median,
    samples: rounds.map(({ receiptsPerSecond }) => receiptsPerSecond),
  }
}
