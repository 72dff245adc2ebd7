import type { ClientsCommand, ClientsOptions, ClientsReady, Visit } from '../../peers/media/clients.ts'
import { type Program, startProgram } from '../../runner/program.ts'

/** Browsers and cameras in a process of their own. Dispose ends them. */
export interface Clients extends AsyncDisposable {
  /** What live video lacks on this machine; none is all right. */
  readonly missing: readonly string[]
  /** Rejects with what went wrong there. */
  ask<T = null>(command: ClientsCommand): Promise<T>
  /** Viewers see a first frame and leave, one after another. */
  visit(deviceId: string, count: number): Promise<Visit[]>
  /** Viewers join and stay until there are so many. */
  gather(deviceId: string, count: number): Promise<void>
}

/** Viewers that join within one question, so that its deadline is far. */
const JOINING_AT_ONCE = 5

/** Starts them. */
export async function startClients(options: ClientsOptions): Promise<Clients> {
  const program: Program<ClientsReady> = await startProgram<ClientsReady>({
    name: 'clients',
    file: new URL('../../peers/media/clients.ts', import.meta.url),
    options,
    cpu: null,
  })
  let staying = 0

  async function ask<T>(command: ClientsCommand): Promise<T> {
    const answer = await program.ask(JSON.stringify(command))
    if (typeof answer === 'object' && answer !== null && 'error' in answer)
      throw new Error(`${command.do}: ${answer.error}\n${program.output()}`)
    if (command.do === 'disperse') staying = 0
    return answer as T
  }

  return {
    missing: program.ready.missing,
    ask,
    async visit(deviceId, count) {
      const visits: Visit[] = []
      for (let i = 0; i < count; i++) visits.push(await ask<Visit>({ do: 'visit', deviceId }))
      return visits
    },
    async gather(deviceId, wanted) {
      while (staying < wanted) {
        const count = Math.min(JOINING_AT_ONCE, wanted - staying)
        staying = await ask<number>({ do: 'stay', deviceId, count })
      }
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
