import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs `npm run ops -- …` and answers what it printed. Rejects when it fails, or takes longer than 30 s. */
export async function runOps(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['subgraphs/ops/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    timeout: 30_000,
  })
  return stdout
}
