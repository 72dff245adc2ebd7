import type { ClientsCommand, ClientsOptions, ClientsReady, Received } from '../peers/media/clients.ts'
import { startProgram } from '../runner/program.ts'

/** Viewers in a headless browser who receive real RTP of a camera. Dispose lets them go. */
export interface MediaViewers extends AsyncDisposable {
  /** Packets of video that all of them have received and lost so far. */
  count(): Promise<Received>
}

/** What came to them in the measured time. */
export interface MediaFigures {
  readonly viewers: number
  readonly packets: number
  readonly lost: number
}

/** Viewers that join within one question, so that its deadline is far. */
const JOINING_AT_ONCE = 5

/** Lets so many viewers join the broadcast of a device. Rejects with what the machine lacks. */
export async function startMediaViewers(options: {
  readonly url: string
  readonly token: string
  readonly deviceId: string
  readonly viewers: number
  readonly cpu: number | null
}): Promise<MediaViewers> {
  const { url, token, deviceId, viewers, cpu } = options
  const program = await startProgram<ClientsReady>({
    name: 'viewers with browsers',
    file: new URL('../peers/media/clients.ts', import.meta.url),
    options: { url, viewerToken: token } satisfies ClientsOptions,
    cpu,
  })
  async function ask<T>(command: ClientsCommand): Promise<T> {
    const answer = await program.ask(JSON.stringify(command))
    if (typeof answer === 'object' && answer !== null && 'error' in answer)
      throw new Error(`${command.do}: ${answer.error}`)
    return answer as T
  }
  try {
    const { missing } = program.ready
    if (missing.length > 0) throw new Error(`Viewers with real video need ${missing.join(', ')}.`)
    for (let staying = 0; staying < viewers; ) {
      const count = Math.min(JOINING_AT_ONCE, viewers - staying)
      staying = await ask<number>({ do: 'stay', deviceId, count })
    }
  } catch (error) {
    await program[Symbol.asyncDispose]()
    throw error
  }
  return {
    count: () => ask<Received>({ do: 'count' }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
