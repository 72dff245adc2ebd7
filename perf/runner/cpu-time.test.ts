import { expect, it } from 'vitest'
import { parseCpuList } from './cpu-pins.ts'
import { parseStat, readCpuMs, readTreeCpuMs } from './cpu-time.ts'
import { startLoadGenerator } from './load-generator.ts'

it('reads the times of a process whatever its name', () => {
  const stat = '42 (a) b (c) S 7 42 42 0 -1 4194304 10 20 0 0 150 50 30 10 20 0 11 0 100 1 2'
  expect(parseStat(stat)).toEqual({ parentPid: 7, ownMs: 2_000, endedChildrenMs: 400 })
  expect(parseStat('nothing')).toBeUndefined()
})

it('counts what a process burns, as the process itself does', () => {
  const before = readCpuMs(process.pid)
  const own = process.cpuUsage()
  for (const endsAt = performance.now() + 200; performance.now() < endsAt; ) Math.hypot(3, 4)
  const { user, system } = process.cpuUsage(own)
  const difference = readCpuMs(process.pid) - before - (user + system) / 1_000
  expect(Math.abs(difference)).toBeLessThan(50)
})

it('counts the children too', async () => {
  await using _generator = await startLoadGenerator({ cpu: null })
  expect(readTreeCpuMs(process.pid)).toBeGreaterThan(readCpuMs(process.pid))
})

it('says when the process has ended', () => {
  expect(() => readCpuMs(2 ** 30)).toThrow('has ended')
})

it('reads lists of CPUs', () => {
  expect(parseCpuList('0-2,5')).toEqual([0, 1, 2, 5])
})
