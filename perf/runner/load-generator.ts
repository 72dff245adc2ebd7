import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { wrapCommand } from './cpu-pins.ts'
import type { Load, LoadResult } from './http-load.ts'

/** A load may take this much longer than it was told to. */
const GRACE_MS = 30_000

/** A process of its own that sends requests. Dispose ends it. */
export interface LoadGenerator extends AsyncDisposable {
  /** Sends a load and resolves with what came back. One at a time. */
  run(load: Load): Promise<LoadResult>
}

/** Starts a generator on the given CPU; null for any. */
export async function startLoadGenerator({ cpu }: { cpu: number | null }): Promise<LoadGenerator> {
  const file = fileURLToPath(new URL('./http-load.ts', import.meta.url))
  const [program = '', ...args] = wrapCommand([process.execPath, file], cpu)
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await waitForMessage(child, GRACE_MS)
  return {
    async run(load) {
      child.send(load)
      return (await waitForMessage(child, load.durationMs + GRACE_MS)) as LoadResult
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
