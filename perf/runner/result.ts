import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Check } from './check.ts'

/** What a suite has measured. */
export interface Measures {
  readonly checks: readonly Check[]
  /** Why the figures are not to be trusted, a sentence each; none when they are. */
  readonly reasons: readonly string[]
  /** How the figures came about; the shape is the suite's own. */
  readonly details: Readonly<Record<string, unknown>>
}

/** The result of a run, as `--json` writes it. */
export interface Result extends Measures {
  readonly suite: string
  /** Hash of the commit that was measured; `unknown` outside of a git checkout. */
  readonly commit: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** False when there is a reason not to trust the figures. */
  readonly valid: boolean
}

/** Makes the result of a run out of what its suite has measured. */
export function createResult(
  run: { suite: string; commit: string; startedAt: Date },
  { checks, reasons, details }: Measures,
): Result {
  return {
    suite: run.suite,
    commit: run.commit,
    startedAt: run.startedAt.toISOString(),
    valid: reasons.length === 0,
    reasons,
    checks,
    details,
  }
}

/** Code that the runner exits with: 0 when the run is valid, has checks, and all of them hold; 1 otherwise. */
export function exitCodeOf({ valid, checks }: Result): 0 | 1 {
  return valid && checks.length > 0 && checks.every(check => check.ok) ? 0 : 1
}

/** Writes a result as JSON; makes the folder when it is missing. */
export async function writeResult(file: string, result: Result): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** Reads which commit a checkout stands at, and whether files differ from it. */
export async function readCommit(root: string): Promise<{ commit: string; hasChanges: boolean }> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: root, timeout: 10_000 })).stdout.trim()
  try {
    return {
      commit: await git('rev-parse', 'HEAD'),
      hasChanges: (await git('status', '--porcelain')) !== '',
    }
  } catch {
    return { commit: 'unknown', hasChanges: false }
  }
}
