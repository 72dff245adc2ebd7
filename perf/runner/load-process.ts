import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { wrapCommand } from './cpu-pins.ts'

/** How long a generator may take to start. */
const START_DEADLINE_MS = 30_000

/** A load generator in a process of its own. Dispose ends it. */
export interface LoadProcess extends AsyncDisposable {
  /** Sends it a message and resolves with its answer. One at a time. Rejects when it has ended, or is too late. */
  ask(message: object, deadlineMs: number): Promise<unknown>
}

/** Starts a generator on the given CPU; null for any. Its file says `ready` and answers each message with one. */
export async function startLoadProcess(file: URL, cpu: number | null): Promise<LoadProcess> {
  const [program = '', ...args] = wrapCommand([process.execPath, fileURLToPath(file)], cpu)
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await waitForMessage(child, START_DEADLINE_MS)
  return {
    ask(message, deadlineMs) {
      child.send(message)
      return waitForMessage(child, deadlineMs)
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

async function waitForMessage(child: ChildProcess, deadlineMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error('The load generator has ended.'))
  const deadline = setTimeout(() => reject(new Error('The load generator does not answer.')), deadlineMs)
  child.once('message', resolve)
  child.once('exit', onExit)
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    child.off('message', resolve)
    child.off('exit', onExit)
  }
}
