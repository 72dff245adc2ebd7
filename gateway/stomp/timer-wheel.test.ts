import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimerWheel } from './timer-wheel.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('calls entries when they are due, again when they ask for it, and not after cancel', () => {
  using wheel = createTimerWheel({ now: Date.now, tickMs: 50, slots: 8 })
  const calls: [string, number][] = []
  const entry = (name: string, again?: number) => ({
    onDue(now: number) {
      calls.push([name, now - 1_000_000])
      return calls.length < 4 ? again : undefined
    },
  })
  const gone = entry('gone')
  wheel.schedule(entry('once'), 120)
  wheel.schedule(entry('again', 100), 100)
  wheel.schedule(gone, 100)
  wheel.cancel(gone)
  vi.advanceTimersByTime(2000)
  expect(calls).toEqual([
    ['again', 100],
    ['once', 150],
    ['again', 200],
    ['again', 300],
  ])
})

it('lets a delay longer than a turn go around, to the tick', () => {
  using wheel = createTimerWheel({ now: Date.now, tickMs: 50, slots: 8 })
  const due: number[] = []
  for (const delay of [400, 450, 800, 850, 4000])
    wheel.schedule(
      {
        onDue(now) {
          due.push(now - 1_000_000)
          return undefined
        },
      },
      delay,
    )
  vi.advanceTimersByTime(5000)
  expect(due).toEqual([400, 450, 800, 850, 4000])
})

it('moves an entry that is scheduled again', () => {
  using wheel = createTimerWheel({ now: Date.now, tickMs: 50 })
  let calls = 0
  const entry = {
    onDue() {
      calls++
      return undefined
    },
  }
  wheel.schedule(entry, 100)
  vi.advanceTimersByTime(50)
  wheel.schedule(entry, 100)
  vi.advanceTimersByTime(60)
  expect(calls).toBe(0)
  vi.advanceTimersByTime(50)
  expect(calls).toBe(1)
})
