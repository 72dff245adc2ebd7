import type { CpuPins } from '../../runner/cpu-pins.ts'
import { readCpuMs } from '../../runner/cpu-time.ts'
import { interleave } from '../../runner/interleave.ts'
import { type Program, startProgram } from '../../runner/program.ts'
import type { Subscribers } from '../../runner/subscribers.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import { type Group, type Lane, PACES, type Plan } from './fanout-plan.ts'

/** What perf/peers/fanout/site.ts tells. */
interface Site {
  readonly tokensFile: string
  readonly spaceIds: readonly string[]
  readonly query: string
}

/** What a contestant tells when it is ready. */
interface Ready {
  readonly url: string
  readonly feedPort: number | null
}

/** A started contestant whose subscribers follow. */
export interface Entered {
  readonly program: Program<Ready>
  readonly subscribers: number
}

/** One lane in one round. */
export interface Round {
  readonly cpuMsPerEvent: number
  readonly cpuUsPerMessage: number
  readonly cpuMs: number
  readonly events: number
  readonly messages: number
  readonly bytesPerMessage: number
  readonly failed: number
  readonly firstFailure: string | null
  readonly eventsPerSecond: number
  readonly latencyMs: { readonly p50: number; readonly p95: number } | null
  /** Shares of their CPUs. */
  readonly cpuShare: number
  readonly generatorShare: number
}

/** What a group came to. */
export interface GroupResult {
  readonly group: Group
  /** By `laneName`. */
  readonly rounds: ReadonlyMap<string, readonly Round[]>
  /** The first message of each contestant. */
  readonly samples: Readonly<Record<string, string>>
}

/** What groups are run with. */
export interface GroupContext extends SuiteContext {
  readonly plan: Plan
  readonly pins: CpuPins
  readonly generator: Subscribers
}

/** Starts the contestants of a group with their subscribers, warms them, and measures them in turns. */
export async function runGroup(
  group: Group,
  { plan, pins, generator, progress }: GroupContext,
): Promise<GroupResult> {
  await using stack = new AsyncDisposableStack()
  const users = Math.max(...group.contestants.map(({ subscribers }) => subscribers))
  const site = stack.use(await startSite(users, pins))
  let remote: { url: string; feedPort: number } | null = null
  if (group.isRemote) {
    const options = { site: site.ready }
    const file = peerFile('subgraph-servers')
    const servers = stack.use(
      await startProgram<{ url: string; feedPort: number }>({
        name: 'subgraph servers',
        file,
        options,
        cpu: pins.around,
      }),
    )
    remote = servers.ready
  }
  const entered = new Map<string, Entered>()
  const samples: Record<string, string> = {}
  for (const { name, peer, subscribers, topic } of group.contestants) {
    progress(`${group.name}: starting ${name} with ${subscribers} subscribers`)
    const options = { site: site.ready, subgraphsUrl: remote?.url ?? null }
    const program = stack.use(
      await startProgram<Ready>({ name, file: peerFile(peer), options, cpu: pins.measured }),
    )
    const feedPort = remote?.feedPort ?? program.ready.feedPort ?? 0
    const place = placeOf(site.ready, { url: program.ready.url, feedPort, topic, subscribers })
    samples[name] = await generator.open(name, place).catch(error => {
      throw new Error(`${group.name}: ${error.message}\n${program.output()}`)
    })
    // Programs end before their sockets would notice.
    stack.defer(() => generator.close(name))
    entered.set(name, { program, subscribers })
  }
  compareSamples(group, samples)
  const run = (lane: Lane, durationMs: number) => runLane(lane, entered, generator, durationMs)
  for (const lane of group.lanes) await run(lane, plan.warmUpMs)
  const rounds = await interleave(group.lanes, plan.rounds, async (lane, round) => {
    const result = await run(lane, plan.roundMs)
    progress(
      `${group.name}: round ${round + 1} of ${plan.rounds}: ${laneName(lane)} ${result.cpuMsPerEvent.toFixed(3)} CPU ms`,
    )
    return result
  })
  return { group, samples, rounds: new Map([...rounds].map(([lane, of]) => [laneName(lane), of])) }
}

/** What a lane is called in results. */
export function laneName({ contestant, pace }: Lane): string {
  return `${contestant}, ${pace}`
}

/** Starts what makes keys and tokens. */
export function startSite(users: number, { around }: CpuPins): Promise<Program<Site>> {
  return startProgram<Site>({ name: 'site', file: peerFile('site'), options: { users }, cpu: around })
}

/** Where a crowd goes. */
export function placeOf(
  { tokensFile, spaceIds, query }: Site,
  place: { url: string; feedPort: number; topic: number; subscribers: number; firstToken?: number },
) {
  return { ...place, tokensFile, payload: { query, variables: { spaceId: spaceIds[place.topic] } } }
}

/** Programs of the suite. */
export function peerFile(name: string): URL {
  return new URL(`../../peers/fanout/${name}.ts`, import.meta.url)
}

async function runLane(
  { contestant, pace }: Lane,
  entered: ReadonlyMap<string, Entered>,
  generator: Subscribers,
  durationMs: number,
): Promise<Round> {
  const found = entered.get(contestant)
  if (found === undefined) throw new TypeError(`Expected a contestant, got ${contestant}.`)
  const { pid } = found.program
  const before = readCpuMs(pid)
  const result = await generator.run(contestant, { ...PACES[pace], durationMs })
  const cpuMs = readCpuMs(pid) - before
  const { events, messages, bytes, failed, firstFailure, elapsedMs, latencyMs, generatorCpuMs } = result
  return {
    cpuMsPerEvent: cpuMs / events,
    cpuUsPerMessage: (cpuMs / messages) * 1_000,
    cpuMs,
    events,
    messages,
    bytesPerMessage: bytes / messages,
    failed,
    firstFailure,
    eventsPerSecond: (events / elapsedMs) * 1_000,
    latencyMs,
    cpuShare: cpuMs / elapsedMs,
    generatorShare: generatorCpuMs / elapsedMs,
  }
}

/** Whoever sends something else does not do the same work; what is each message's own is left out. */
function compareSamples({ name }: Group, samples: Readonly<Record<string, string>>): void {
  const [[first, expected] = ['', ''], ...others] = Object.entries(samples).map(([who, text]) => [
    who,
    shapeOf(text),
  ])
  for (const [who, shape] of others) {
    if (shape === expected) continue
    throw new Error(`${name}: ${who} sends something else than ${first}:\n${shape}\n${expected}`)
  }
}

/** A message without its ids, numbers, and extensions, which are ours alone: JSON with sorted keys. */
function shapeOf(sample: string): string {
  const { payload, type } = JSON.parse(sample) as { type: string; payload: { data: unknown } }
  const text = JSON.stringify({ type, data: payload.data }, (_, value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return text.replaceAll(/"[\da-f-]{36}"/g, '"id"').replaceAll(/\d+/g, '0')
}
