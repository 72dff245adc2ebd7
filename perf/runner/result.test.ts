import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Check, createCheck } from './check.ts'
import { formatReport } from './report.ts'
import { createResult, exitCodeOf, writeResult } from './result.ts'

const RUN = { suite: 'start', commit: 'abc', startedAt: new Date('2026-01-02T03:04:05Z') }
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function check(value: number, limit: number | null, better: Check['better'] = 'lower'): Check {
  return createCheck({ name: 'start.ready_ms', value, unit: 'ms', limit, better })
}

function exitCode(checks: readonly Check[], reasons: readonly string[] = []): number {
  return exitCodeOf(createResult(RUN, { checks, reasons, details: {} }))
}

it('holds a value against its limit in its direction', () => {
  expect(check(3_000, 3_000).ok).toBe(true)
  expect(check(3_001, 3_000).ok).toBe(false)
  expect(check(3_000, 3_000, 'higher').ok).toBe(true)
  expect(check(2_999, 3_000, 'higher').ok).toBe(false)
})

it('does not round a value that is over its limit to one that is not', () => {
  expect(check(0.22000001, 0.22)).toMatchObject({ value: 0.22, ok: false })
})

it('only reports a figure without a limit, unless it is no number', () => {
  expect(check(7, null).ok).toBe(true)
  expect(check(Number.NaN, null).ok).toBe(false)
})

it('succeeds only when the run is valid, has checks, and all of them hold', () => {
  expect(exitCode([check(1, 2)])).toBe(0)
  expect(exitCode([check(1, 2), check(3, 2)])).toBe(1)
  expect(exitCode([check(1, 2)], ['The machine was busy.'])).toBe(1)
  expect(exitCode([])).toBe(1)
})

it('writes the result in the form that RESULTS.md names', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-result-'))
  const file = join(dir, 'new', 'result.json')
  await writeResult(file, createResult(RUN, { checks: [check(1, 2)], reasons: ['Busy.'], details: { a: 1 } }))
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    suite: 'start',
    commit: 'abc',
    startedAt: '2026-01-02T03:04:05.000Z',
    valid: false,
    reasons: ['Busy.'],
    checks: [{ name: 'start.ready_ms', value: 1, unit: 'ms', limit: 2, better: 'lower', ok: true }],
    details: { a: 1 },
  })
  await rm(dir, { recursive: true })
})

it('shows what failed and why a run is not valid', () => {
  const report = formatReport(createResult(RUN, { checks: [check(3, 2)], reasons: ['Busy.'], details: {} }))
  expect(report).toContain('start.ready_ms      3    ≤ 2    ms  FAILED')
  expect(report).toContain('not valid: Busy.')
})

it.each([
  [[], 'Which suite?'],
  [['nonsense'], 'There is no suite nonsense.'],
  [['toString'], 'There is no suite toString.'],
  [['start', 'gateway'], 'One suite at a time: got start, gateway.'],
  [['start', '--fast'], "Unknown option '--fast'"],
])('refuses the arguments %j with the list of suites', async (args, message) => {
  const run = promisify(execFile)(process.execPath, ['perf/main.ts', ...args], { cwd: ROOT })
  const { code, stderr } = await run.then(
    () => ({ code: 0, stderr: '' }),
    error => error as { code: number; stderr: string },
  )
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).toMatch(/^ {2}gateway {2,}\w/m)
})
