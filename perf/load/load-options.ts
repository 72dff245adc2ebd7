import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What the command line says of a load command. */
export interface LoadFlags {
  readonly isQuick: boolean
  readonly scale: number
  /** Viewers who receive real RTP in a browser. */
  readonly media: number
  /** Of a product that runs already; null: one is started. */
  readonly url: string | null
  readonly dataDir: string | null
  readonly metricsUrl: string | null
  readonly pid: number | null
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly ingestRedisUrl: string | null
  /** Files to write the result and the page to; null: under the perf folder. */
  readonly jsonFile: string | null
  readonly htmlFile: string | null
  /** Repetitions of baseline and compare. */
  readonly runs: number
  /** What baseline and compare run. */
  readonly suite: 'query-only' | 'realtime-only' | 'mixed'
  /** Logs of prefill. */
  readonly logs: number
  /** Seconds for which the top step of capacity is held. */
  readonly holdSeconds: number
  readonly minutes: number
  readonly max: number
  readonly dau: number
  readonly visits: number
  readonly peak: number
  readonly pauses: number
  readonly think: number
  readonly latency: number
}

const OPTIONS = {
  quick: { type: 'boolean' },
  scale: { type: 'string', default: '1' },
  media: { type: 'string', default: '0' },
  url: { type: 'string' },
  data: { type: 'string' },
  metrics: { type: 'string' },
  pid: { type: 'string' },
  'database-url': { type: 'string' },
  'redis-url': { type: 'string' },
  'ingest-redis-url': { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
  runs: { type: 'string', default: '5' },
  suite: { type: 'string', default: 'mixed' },
  logs: { type: 'string', default: '1000000' },
  hold: { type: 'string', default: '600' },
  minutes: { type: 'string', default: '60' },
  max: { type: 'string', default: '64' },
  dau: { type: 'string', default: '10000' },
  visits: { type: 'string', default: '5' },
  peak: { type: 'string', default: '10' },
  pauses: { type: 'string', default: '3' },
  think: { type: 'string', default: '3' },
  latency: { type: 'string', default: '0.5' },
} as const

/** Lines for `--help`. */
export const LOAD_USAGE = [
  '  --scale K    multiplies devices, viewers and rate of the load suites (1)',
  '  --media N    so many viewers receive real video in a browser beside the load (0)',
  '  --url URL    a product that runs already; without it one is started on a data folder of its own',
  '  --data DIR, --pid N, --metrics URL, --database-url, --redis-url, --ingest-redis-url',
  '               where such a product keeps its mails and sockets, what its first process is, and where it tells of itself',
  '  --html FILE  writes the page there',
  '  --suite S    what baseline and compare run (mixed), --runs N how often (5)',
  '  --logs N     how many logs prefill writes (1000000)',
  '  --hold S     seconds for which capacity holds its top step (600), --max K the largest scale that it tries (64)',
  '  --minutes M  how long soak lasts (60)',
  '  --dau, --visits, --peak, --pauses, --think S, --latency S    what plan reckons with',
]

/** Parses the arguments after the command. Throws an Error that says what is wrong. */
export function parseLoadFlags(args: readonly string[], cwd: string): LoadFlags {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const number = (name: keyof typeof OPTIONS, from: number): number => {
    const value = Number(values[name])
    if (!(value >= from))
      throw new Error(`--${name} must be a number of ${from} or more: got ${values[name]}.`)
    return value
  }
  const text = (value: string | undefined) => value ?? null
  const path = (value: string | undefined) => (value === undefined ? null : resolve(cwd, value))
  const { suite } = values
  if (suite !== 'query-only' && suite !== 'realtime-only' && suite !== 'mixed')
    throw new Error(`--suite must be query-only, realtime-only or mixed: got ${suite}.`)
  if (values.url !== undefined && !URL.canParse(values.url))
    throw new Error(`--url is no URL: ${values.url}.`)
  return {
    isQuick: values.quick ?? false,
    ...{ scale: number('scale', 0.02), media: number('media', 0), suite },
    ...{ url: text(values.url), dataDir: path(values.data), metricsUrl: text(values.metrics) },
    pid: values.pid === undefined ? null : number('pid', 1),
    databaseUrl: text(values['database-url']),
    redisUrl: text(values['redis-url']),
    ingestRedisUrl: text(values['ingest-redis-url']),
    ...{ jsonFile: path(values.json), htmlFile: path(values.html) },
    ...{ runs: number('runs', 1), logs: number('logs', 1), holdSeconds: number('hold', 1) },
    ...{ minutes: number('minutes', 0.1), max: number('max', 1) },
    ...{ dau: number('dau', 0), visits: number('visits', 0), peak: number('peak', 0) },
    ...{ pauses: number('pauses', 0), think: number('think', 0), latency: number('latency', 0) },
  }
}
