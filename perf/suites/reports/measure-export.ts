import { readFileSync } from 'node:fs'
import type { ReportFactory } from '../../peers/reports/ours.ts'
import type { SuiteContext } from '../../runner/suite.ts'
import { EXPORT_MUTATION, type ReportsPlan } from './reports-plan.ts'

/** One file. */
export interface ExportRound {
  readonly rows: number
  readonly bytes: number
  readonly elapsedMs: number
  /** What the header said before. */
  readonly estimatedRows: number
  /** Memory of the process that answers: before, and the most in the first half of the time and in the second. */
  readonly rssBeforeMiB: number
  readonly rssFirstHalfMiB: number
  readonly rssSecondHalfMiB: number
}

const SAMPLE_INTERVAL_MS = 100
const LINE_FEED = 0x0a

/** Downloads so many anomalies of a factory as CSV, a few times; the first ones are to warm up and are left out. */
export async function measureExport(
  factory: ReportFactory,
  { plan: { csv: plan }, progress }: SuiteContext & { plan: ReportsPlan },
): Promise<ExportRound[]> {
  const rounds: ExportRound[] = []
  for (let round = 1 - plan.warmUps; round <= plan.rounds; round++) {
    const result = await downloadOnce(factory, plan.rows)
    progress(
      `export ${round} of ${plan.rounds}: ${Math.round((result.rows / result.elapsedMs) * 1_000)} rows/s, ` +
        `${Math.round(result.rssSecondHalfMiB)} MiB`,
    )
    if (round > 0) rounds.push(result)
  }
  return rounds
}

async function downloadOnce(factory: ReportFactory, wanted: number): Promise<ExportRound> {
  const url = await askForLink(factory, wanted)
  const rssBeforeMiB = readRssMiB(factory.pid)
  const samples = [rssBeforeMiB]
  const sampler = setInterval(() => samples.push(readRssMiB(factory.pid)), SAMPLE_INTERVAL_MS)
  try {
    const startedAt = performance.now()
    const response = await fetch(url)
    if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
    // The header row is none of them, and no cell of these has a line break.
    let rows = -1
    let bytes = 0
    for await (const chunk of response.body) {
      bytes += chunk.length
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) rows++
    }
    const elapsedMs = performance.now() - startedAt
    const estimatedRows = Number(response.headers.get('x-estimated-rows'))
    samples.push(readRssMiB(factory.pid))
    const middle = Math.ceil(samples.length / 2)
    const rssFirstHalfMiB = Math.max(...samples.slice(0, middle))
    const rssSecondHalfMiB = Math.max(...samples.slice(middle))
    return { rows, bytes, elapsedMs, estimatedRows, rssBeforeMiB, rssFirstHalfMiB, rssSecondHalfMiB }
  } finally {
    clearInterval(sampler)
  }
}

/** The share of the factory's time that has about so many anomalies, in whole quarters of an hour. */
async function askForLink({ url, tokens, spaceId, from, to, anomalies }: ReportFactory, rows: number) {
  const share = Math.min(1, rows / anomalies)
  const length = Math.ceil(((Date.parse(to) - Date.parse(from)) * share) / 900_000) * 900_000
  const input = { spaceId, kind: 'ANOMALIES', from, to: new Date(Date.parse(from) + length).toISOString() }
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
    body: JSON.stringify({ query: EXPORT_MUTATION, variables: { input } }),
  })
  const answer = await response.text()
  const link: unknown = JSON.parse(answer)?.data?.exportReport?.url
  if (typeof link !== 'string') throw new Error(`No link: ${answer.slice(0, 400)}`)
  return new URL(link, url)
}

function readRssMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}
