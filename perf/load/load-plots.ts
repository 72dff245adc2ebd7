import type { LoadLimits } from './judge-load.ts'
import type { Second } from './load-summary.ts'
import type { ResourceSample } from './resource-watch.ts'
import type { SuiteRun } from './run-suite.ts'
import type { Line, Plot } from './svg-plot.ts'

/** Makes the plots of a run: what people and devices had, then what it took. */
export function plotRun(
  { result, summary }: Pick<SuiteRun, 'result' | 'summary'>,
  limits: LoadLimits,
): Plot[] {
  const { seconds } = summary
  const measured: [number, number][] = []
  let begin = 0
  for (const { durationMs, isMeasured } of result.workload.stages) {
    if (isMeasured) measured.push([begin / 1_000, (begin + durationMs) / 1_000])
    begin += durationMs
  }
  const plot = (title: string, unit: string, lines: Line[], limit?: number): Plot => ({
    ...{ title, unit, lines, measured },
    ...(limit === undefined ? {} : { limit }),
  })
  const bySecond = (name: string, read: (second: Second) => number): Line => ({
    name,
    points: seconds.map(second => [second.second, read(second)] as const),
  })
  const hasQueries = seconds.some(({ queries }) => queries > 0)
  const hasField = seconds.some(({ receipts }) => receipts > 0)
  const samples = result.resources
  const at = (sample: ResourceSample) => (sample.at - result.startedAt) / 1_000
  const bySample = (name: string, read: (sample: ResourceSample) => number | null | undefined): Line => ({
    name,
    points: samples
      .map(sample => [at(sample), read(sample) ?? Number.NaN] as const)
      .filter(([, y]) => Number.isFinite(y)),
  })
  return [
    ...(hasQueries
      ? [
          plot(
            'Queries, from when they were due',
            'ms',
            [
              bySecond('p50', s => s.queryP50),
              bySecond('p95', s => s.queryP95),
              bySecond('p99', s => s.queryP99),
            ],
            limits.p95Ms,
          ),
        ]
      : []),
    ...(hasField
      ? [
          plot(
            'Devices, from when a message was due',
            'ms, p95',
            [bySecond('to its receipt', s => s.receiptP95), bySecond('to a subscriber', s => s.eventP95)],
            limits.eventP95Ms ?? undefined,
          ),
        ]
      : []),
    plot('Load', 'a second', [
      ...(hasQueries
        ? [bySecond('queries due', s => s.queries), bySecond('queries failed', s => s.failed)]
        : []),
      ...(hasField
        ? [bySecond('messages receipted', s => s.receipts), bySecond('events at subscribers', s => s.events)]
        : []),
    ]),
    plot('CPU', 'thousandths of a core', cpuLines(samples, at)),
    plot(
      'Memory',
      'MiB RSS',
      byProcess(samples, (sample, pid) => sample.processes.find(of => of.pid === pid)?.rssMiB, at),
    ),
    plot(
      'Event loops of the product',
      'ms, p99 of 5 s',
      [...new Set(samples.flatMap(({ loops }) => Object.keys(loops)))].map(group =>
        bySample(group, ({ loops }) => loops[group]?.p99Ms),
      ),
    ),
    plot('Behind the door', 'ms', [
      bySample('ingest lag', ({ ingestLagSeconds }) =>
        ingestLagSeconds === null ? null : ingestLagSeconds * 1_000,
      ),
      bySample('outbox lag', ({ outboxLagSeconds }) =>
        outboxLagSeconds === null ? null : outboxLagSeconds * 1_000,
      ),
    ]),
    plot('Database', 'connections', [
      bySample('open, as MariaDB tells', ({ database }) => database?.Threads_connected),
      bySample('running', ({ database }) => database?.Threads_running),
      ...[...new Set(samples.flatMap(({ pools }) => Object.keys(pools)))]
        .filter(pool => !pool.endsWith('so far'))
        .map(pool => bySample(`pool: ${pool}`, ({ pools }) => pools[pool])),
    ]),
    plot('Statements and commands', 'a second', [
      growth('MariaDB questions', samples, at, ({ database }) => database?.Questions),
      growth('MariaDB commits', samples, at, ({ database }) => database?.Com_commit),
      growth('Redis (live)', samples, at, ({ redis }) => redis?.total_commands_processed),
      growth('Redis (ingest)', samples, at, ({ ingestRedis }) => ingestRedis?.total_commands_processed),
    ]),
    plot('Redis memory', 'MiB', [
      bySample('live', ({ redis }) => (redis?.used_memory ?? Number.NaN) / 2 ** 20),
      bySample('ingest', ({ ingestRedis }) => (ingestRedis?.used_memory ?? Number.NaN) / 2 ** 20),
    ]),
  ]
}

function byProcess(
  samples: readonly ResourceSample[],
  read: (sample: ResourceSample, pid: number) => number | undefined,
  at: (sample: ResourceSample) => number,
): Line[] {
  const names = new Map(
    samples.flatMap(({ processes }) => processes.map(({ pid, name }) => [pid, name] as const)),
  )
  return [...names].map(([pid, name]) => ({
    name,
    points: samples.map(sample => [at(sample), read(sample, pid) ?? Number.NaN] as const),
  }))
}

/** CPU between one sample and the next of a process. */
function cpuLines(samples: readonly ResourceSample[], at: (sample: ResourceSample) => number): Line[] {
  const cpuOf = (sample: ResourceSample | undefined, pid: number) =>
    sample?.processes.find(process => process.pid === pid)?.cpuMs ?? Number.NaN
  const previous = new Map(samples.map((sample, i) => [sample, samples[i - 1]]))
  return byProcess(
    samples,
    (sample, pid) => {
      const before = previous.get(sample)
      const elapsedMs = sample.at - (before?.at ?? sample.at)
      return ((cpuOf(sample, pid) - cpuOf(before, pid)) / elapsedMs) * 1_000
    },
    at,
  )
}

function growth(
  name: string,
  samples: readonly ResourceSample[],
  at: (sample: ResourceSample) => number,
  read: (sample: ResourceSample) => number | undefined,
): Line {
  const known = samples.filter(sample => read(sample) !== undefined)
  return {
    name,
    points: known.slice(1).map((sample, i) => {
      const before = known[i]
      const seconds = (sample.at - (before?.at ?? sample.at)) / 1_000
      return [at(sample), ((read(sample) ?? 0) - ((before && read(before)) ?? 0)) / seconds] as const
    }),
  }
}
