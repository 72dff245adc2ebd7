import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { wrapCommand } from '../runner/cpu-pins.ts'
import type { QueryCommand, QueryLoad, QueryLoadResult } from './query-load.ts'

/** A process of its own that asks as a workload says. Dispose ends it. */
export interface QueryGenerator extends AsyncDisposable {
  /** Whose tokens are used from now on, in turns. */
  setTokens(tokens: readonly string[]): void
  /** Runs a load. Rejects when the process ends. */
  run(load: QueryLoad): Promise<QueryLoadResult>
}

/** Starts the process on the given CPU; null for any. */
export async function startQueryGenerator({ cpu }: { cpu: number | null }): Promise<QueryGenerator> {
  const file = fileURLToPath(new URL('./query-load.ts', import.meta.url))
  const [program = '', ...args] = wrapCommand([process.execPath, file], cpu)
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The generator of queries ended with ${code}.`)
  })
  ended.catch(() => {})
  await Promise.race([once(child, 'message'), ended])
  const send = (command: QueryCommand) => child.send(command)
  return {
    setTokens: tokens => void send({ do: 'tokens', tokens }),
    async run(load) {
      send({ do: 'run', load })
      const [answer] = await Promise.race([once(child, 'message'), ended])
      const { result, error } = answer as { result?: QueryLoadResult; error?: string }
      if (result === undefined) throw new Error(error)
      return result
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await ended.catch(() => {})
    },
  }
}
