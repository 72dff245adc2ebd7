import { spawn } from 'node:child_process'

/** Enough of a command's output to see why it failed. */
const MAX_OUTPUT_CHARS = 16_384

const DEADLINE_MS = 30 * 60_000

/**
 * Runs a command to its end and resolves to `{ code, output }`; `output` is the end of its stdout and stderr together.
 * `code` is 127 when it cannot be started, as in a shell. Killed, with all it has started, past `deadlineMs` (half an
 * hour). `onOutput` is told what comes as it comes.
 */
export function runCommand(file, args, { env, cwd, deadlineMs = DEADLINE_MS, onOutput } = {}) {
  return new Promise(resolve => {
    let output = ''
    const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const deadline = setTimeout(() => kill(child.pid, 'SIGKILL'), deadlineMs)
    const end = () => kill(child.pid, 'SIGTERM')
    process.on('exit', end)
    const done = result => {
      clearTimeout(deadline)
      process.off('exit', end)
      resolve(result)
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        output = (output + chunk).slice(-MAX_OUTPUT_CHARS)
        onOutput?.(chunk)
      })
    }
    child.once('error', error => done({ code: 127, output: `${error.message}\n` }))
    child.once('close', (code, signal) => {
      done({ code: code ?? 1, output: signal === null ? output : `${output}ended by ${signal}\n` })
    })
  })
}

/** Signals the process group that a command leads; npm and ninja leave their children behind otherwise. */
function kill(pid, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Ended by itself.
  }
}
