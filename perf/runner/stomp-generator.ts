import type { FactoryPace, FactoryPaceResult } from './factory-pace.ts'
import { startLoadProcess } from './load-process.ts'
import type { DevicesOptions, Flood, FloodResult } from './stomp-devices.ts'
import type { StompCommand } from './stomp-load.ts'

/** With what share of its CPU the generator did it. */
interface Generated {
  readonly generatorShare: number
}

/** Devices in a process of their own, in named groups. Dispose ends it. */
export interface StompGenerator extends AsyncDisposable {
  /** Opens a group. Rejects when one of its sockets is refused. */
  open(name: string, options: DevicesOptions): Promise<void>
  flood(name: string, flood: Flood): Promise<FloodResult & Generated>
  pace(name: string, pace: FactoryPace): Promise<FactoryPaceResult & Generated>
  close(name: string): Promise<void>
}

const OPEN_DEADLINE_MS = 120_000

/** A run may take this much longer than it was told to. */
const GRACE_MS = 60_000

/** Starts the process on the given CPU; null for any. */
export async function startStompGenerator({ cpu }: { cpu: number | null }): Promise<StompGenerator> {
  const generator = await startLoadProcess(new URL('./stomp-load.ts', import.meta.url), cpu)

  async function ask<T>(command: StompCommand, deadlineMs: number): Promise<T> {
    const answer = (await generator.ask(command, deadlineMs)) as { result?: unknown; error?: string }
    if (answer.error !== undefined) throw new Error(`${command.name}: ${answer.error}`)
    return answer.result as T
  }

  return {
    async open(name, options) {
      await ask({ kind: 'open', name, options }, OPEN_DEADLINE_MS)
    },
    flood: (name, flood) => ask({ kind: 'flood', name, flood }, flood.warmUpMs + flood.durationMs + GRACE_MS),
    pace: (name, pace) => ask({ kind: 'pace', name, pace }, pace.warmUpMs + pace.durationMs + GRACE_MS),
    async close(name) {
      await ask({ kind: 'close', name }, GRACE_MS)
    },
    [Symbol.asyncDispose]: generator[Symbol.asyncDispose],
  }
}
