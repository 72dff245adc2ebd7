import { expect, it } from 'vitest'
import { growthPerHour } from './steady-load.ts'

const sampleAt = (second: number, rssMiB: number) => ({
  at: 1_790_000_000_000 + second * 1_000,
  processes: [
    { pid: 1, kind: 'node' as const, name: 'front', cpuMs: 0, rssMiB },
    { pid: 2, kind: 'database' as const, name: 'MariaDB', cpuMs: 0, rssMiB: rssMiB * 9 },
  ],
})

it('finds a leak of Node in the noise, and leaves the warm-up and the database out', () => {
  const leaking = Array.from({ length: 3_600 }, (_, s) =>
    sampleAt(s, (s < 600 ? s / 6 : 100) + s / 60 + 5 * Math.sin(s)),
  )
  expect(growthPerHour(leaking)).toBeCloseTo(60, 0)
  const steady = Array.from({ length: 3_600 }, (_, s) => sampleAt(s, 200 + 5 * Math.sin(s)))
  expect(Math.abs(growthPerHour(steady))).toBeLessThan(1)
  expect(growthPerHour([])).toBeNaN()
})
