import { startLoadProcess } from './load-process.ts'
import type { CrowdOptions, CrowdResult, Pace } from './subscriber-crowd.ts'
import type { CrowdCommand } from './subscriber-load.ts'

/** A crowd, its tokens in a file: there are many. */
export interface CrowdPlace extends Omit<CrowdOptions, 'tokens'> {
  /** JSON array, of which `subscribers` are used, those from `firstToken` on (0). */
  readonly tokensFile: string
  readonly subscribers: number
  readonly firstToken?: number
}

/** What a crowd received, and what the generator used for it. */
export interface CrowdRun extends CrowdResult {
  readonly generatorCpuMs: number
}

/** Crowds of subscribers in a process of their own. Dispose ends it. */
export interface Subscribers extends AsyncDisposable {
  /** Opens a crowd and resolves with its first message. Rejects when one of its sockets is refused. */
  open(name: string, place: CrowdPlace): Promise<string>
  /** Has events published to a crowd for a time. */
  run(name: string, pace: Pace): Promise<CrowdRun>
  close(name: string): Promise<void>
}

const OPEN_DEADLINE_MS = 120_000

/** A run may take this much longer than it was told to. */
const GRACE_MS = 40_000

/** Starts the process on the given CPU; null for any. */
export async function startSubscribers({ cpu }: { cpu: number | null }): Promise<Subscribers> {
  const generator = await startLoadProcess(new URL('./subscriber-load.ts', import.meta.url), cpu)

  async function ask(command: CrowdCommand, deadlineMs: number): Promise<unknown> {
    const answer = (await generator.ask(command, deadlineMs)) as { result?: unknown; error?: string }
    if (answer.error !== undefined) throw new Error(`${command.name}: ${answer.error}`)
    return answer.result
  }

  return {
    async open(name, place) {
      return ((await ask({ kind: 'open', name, place }, OPEN_DEADLINE_MS)) as { sample: string }).sample
    },
    run: async (name, pace) =>
      (await ask({ kind: 'run', name, pace }, pace.durationMs + GRACE_MS)) as CrowdRun,
    async close(name) {
      await ask({ kind: 'close', name }, GRACE_MS)
    },
    [Symbol.asyncDispose]: generator[Symbol.asyncDispose],
  }
}
