import { expect, it } from 'vitest'
import { onlineShare, toSegments } from './presence-segments.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
const range = { from: 0, to: 100_000, isOnlineNow: true }

it('fills the range, and knows from the first event what was before it', () => {
  const events = [
    { kind: 'ONLINE', occurredAt: at(60) },
    { kind: 'OFFLINE', occurredAt: at(50) },
  ] as const
  const segments = toSegments(events, range)
  expect(segments).toEqual([
    { isOnline: true, from: 0, to: 50_000 },
    { isOnline: false, from: 50_000, to: 60_000 },
    { isOnline: true, from: 60_000, to: 100_000 },
  ])
  expect(onlineShare(segments)).toBe(0.9)
})

it('is what the device is now when nothing happened', () => {
  expect(toSegments([], { ...range, isOnlineNow: false })).toEqual([
    { isOnline: false, from: 0, to: 100_000 },
  ])
})

it('leaves out what is told twice, and what is of another time', () => {
  const events = [
    { kind: 'OFFLINE', occurredAt: at(20) },
    { kind: 'OFFLINE', occurredAt: at(30) },
    { kind: 'ONLINE', occurredAt: at(200) },
  ] as const
  expect(toSegments(events, range)).toEqual([
    { isOnline: true, from: 0, to: 20_000 },
    { isOnline: false, from: 20_000, to: 100_000 },
  ])
  expect(onlineShare([])).toBe(0)
  const before = [{ kind: 'ONLINE', occurredAt: at(-50) }] as const
  expect(toSegments(before, { ...range, isOnlineNow: false })).toEqual([
    { isOnline: true, from: 0, to: 100_000 },
  ])
  const after = [{ kind: 'OFFLINE', occurredAt: at(150) }] as const
  expect(toSegments(after, { ...range, isOnlineNow: false })).toEqual([
    { isOnline: true, from: 0, to: 100_000 },
  ])
})
