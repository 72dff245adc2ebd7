import { expect, it } from 'vitest'
import { makeBodies, makePastLog } from './past-logs.ts'

const LOGS = { seed: 'tag', fromMs: 1_790_000_000_000, toMs: 1_790_000_600_000, total: 5_000, devices: 7 }

it('makes the same ids each time, all of them different, each of its time', () => {
  const ids = Array.from({ length: LOGS.total }, (_, nth) => makePastLog(LOGS, nth).id)
  expect(ids).toEqual(Array.from({ length: LOGS.total }, (_, nth) => makePastLog(LOGS, nth).id))
  expect(new Set(ids).size).toBe(LOGS.total)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt((ids[2_500] ?? '').replace('-', '').slice(0, 12), 16)).toBe(1_790_000_300_000)
  expect(makePastLog({ ...LOGS, seed: 'other' }, 0).id).not.toBe(ids[0])
})

it('puts every log into one body, within the limits', () => {
  const limits = { maxBytes: 10_000, maxItems: 50 }
  const seen = Array.from({ length: LOGS.devices }, (_, device) => [
    ...makeBodies(LOGS, device, limits),
  ]).flat()
  for (const { body, items } of seen) {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limits.maxBytes)
    expect(JSON.parse(body)).toHaveLength(items)
    expect(items).toBeLessThanOrEqual(limits.maxItems)
  }
  const ids = seen.flatMap(({ body }) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id))
  expect(new Set(ids).size).toBe(LOGS.total)
  expect(ids).toHaveLength(LOGS.total)
})
