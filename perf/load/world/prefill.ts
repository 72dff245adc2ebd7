import { setTimeout as sleep } from 'node:timers/promises'
import { openStompDevices } from '../../runner/stomp-devices.ts'
import { createProgressBar, type ProgressBar } from '../progress-bar.ts'
import { ask, signIn } from '../site-api.ts'
import { makeBodies, type PastLogs } from './past-logs.ts'
import type { WorldFile } from './world-state.ts'

const DAY_MS = 86_400_000

/** Weeks over which the past is spread, so that it lies in several partitions. */
const PAST_DAYS = 28

/** Devices that write, bodies that each has on its way, and their size: a frame has 64 KiB at most. */
const MAX_WRITERS = 20
const WINDOW = 4
const LIMITS = { maxBytes: 60_000, maxItems: 500 }

const TABLE_DEADLINE_MS = 300_000
const POLL_INTERVAL_MS = 500

/**
 * Writes logs of the past through the STOMP door, with ids that their devices would have made. Done again, also after an
 * abort, it writes what is missing and nothing twice. Rejects for another number of logs than the world has. Resolves with the seconds it took, when all are in the table.
 */
export async function prefillWorld({
  url,
  world,
  total,
  progress,
}: {
  url: string
  world: WorldFile
  total: number
  progress: (message: string) => void
}): Promise<{ seconds: number; logs: number }> {
  const { state } = world
  const [owner] = state.people
  if (state.spaceId === null || owner === undefined)
    throw new Error('There is no perf world: run bootstrap first.')
  const startedAt = performance.now()
  if (state.prefill !== null && state.prefill.logs !== total)
    throw new Error(
      `This world is one of ${state.prefill.logs} logs: take it away with cleanup, or say --logs ${state.prefill.logs}.`,
    )
  if (state.prefill === null) {
    // Whole quarters of an hour, as reports count, and past those in which anybody measures.
    const to = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
    const from = new Date(to - PAST_DAYS * DAY_MS).toISOString()
    state.prefill = { from, to: new Date(to).toISOString(), logs: total, isDone: false }
    world.save()
  }
  const { prefill } = state
  const writers = state.devices.slice(0, MAX_WRITERS)
  const past: PastLogs = {
    ...{ seed: `${state.tag} ${state.spaceId}`, total, devices: writers.length },
    ...{ fromMs: Date.parse(prefill.from), toMs: Date.parse(prefill.to) },
  }
  const { accessToken: token } = await signIn(url, owner)
  const readCount = () => countLogs(url, token, state.spaceId ?? '', prefill)
  const before = await readCount()
  if (prefill.isDone && before === total) {
    progress(`all ${total} logs are there`)
    return { seconds: (performance.now() - startedAt) / 1_000, logs: before }
  }

  const bar = createProgressBar('prefill', total)
  const watching = new AbortController()
  const watched = showTable(readCount, bar, watching.signal)
  const devices = await openStompDevices({
    url: `${url.replace(/^http/, 'ws')}/stomp/websocket`,
    logins: writers.map(({ deviceId, credential }) => ({ login: deviceId, passcode: credential })),
    connectHeaders: { 'heart-beat': '0,0', host: 'nuvion' },
    sendHeaders: {},
  })
  let logs: number
  try {
    await Promise.all(
      writers.map(async (_, device) => {
        const bodies = makeBodies(past, device, LIMITS)
        const send = async () => {
          for (const { body } of bodies) await devices.send(device, '/app/log', body)
        }
        await Promise.all(Array.from({ length: WINDOW }, send))
      }),
    )
    logs = await waitForTable(total, readCount)
  } finally {
    devices.close()
    watching.abort()
    await watched
  }
  bar.update(logs)
  if (logs !== total) throw new Error(`${total} logs were receipted, and the table has ${logs}.`)
  prefill.isDone = true
  world.save()
  return { seconds: (performance.now() - startedAt) / 1_000, logs }
}

/** Receipts run ahead of the table, which is what takes its time. */
async function showTable(
  readCount: () => Promise<number>,
  bar: ProgressBar,
  ending: AbortSignal,
): Promise<void> {
  while (!ending.aborted) {
    bar.update(await readCount().catch(() => 0))
    await sleep(POLL_INTERVAL_MS, undefined, { signal: ending }).catch(() => {})
  }
}

async function waitForTable(total: number, readCount: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + TABLE_DEADLINE_MS
  let count = await readCount()
  while (count < total && performance.now() < deadline) {
    await sleep(POLL_INTERVAL_MS)
    count = await readCount()
  }
  return count
}

/** Counts by the report, which reads what was counted when the rows were written. */
async function countLogs(
  url: string,
  token: string,
  spaceId: string,
  { from, to }: { from: string; to: string },
) {
  const query = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
    logReport(spaceId: $spaceId, from: $from, to: $to, interval: MONTH) { total } }`
  const { logReport } = await ask<{ logReport: { total: number } }>(url, token, query, { spaceId, from, to })
  return logReport.total
}
