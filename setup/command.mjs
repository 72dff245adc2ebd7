import { spawn } from 'node:child_process'

/** Enough of a command's output to see why it failed. */
const MAX_OUTPUT_CHARS = 16_384

const DEADLINE_MS = 30 * 60_000

/**
 * Runs a command to its end and resolves to `{ code, output }`; `output` is the end of its stdout and stderr together.
 * `code` is 127 when it cannot be started, as in a shell. Killed past half an hour.
 */
export function runCommand(file, args, { env, cwd } = {}) {
  return new Promise(resolve => {
    let output = ''
    const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        output = (output + chunk).slice(-MAX_OUTPUT_CHARS)
      })
    }
    child.once('error', error => {
      clearTimeout(deadline)
      resolve({ code: 127, output: `${error.message}\n` })
    })
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      resolve({ code: code ?? 1, output: signal === null ? output : `${output}ended by ${signal}\n` })
    })
  })
}
