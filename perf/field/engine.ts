import { openFieldLink } from './field-link.ts'
import { liveAsDevice } from './live-as-device.ts'
import { liveAsObserver } from './live-as-observer.ts'
import { liveAsViewer } from './live-as-viewer.ts'

/** What Artillery hands an engine of a scenario (its engine contract). */
interface Scenario {
  readonly flow: readonly Readonly<Record<string, unknown>>[]
}
interface Events {
  emit(name: string, ...values: unknown[]): boolean
}
type Done = (error: unknown, context: unknown) => void

const LIVES = { device: liveAsDevice, viewer: liveAsViewer, observer: liveAsObserver } as const

/**
 * Artillery's engine `nuvion`: a virtual user is one device, viewer or observer from its arrival to the end of the run.
 * The runner says by a socket who is who, when the clock starts and when all is over. Nothing here waits for an answer
 * before the next message is due, and what is late counts from when it was due: see schedule.ts.
 */
// biome-ignore lint/style/noDefaultExport: Artillery takes an engine's default export.
export default class NuvionEngine {
  createScenario({ flow }: Scenario, events: Events) {
    if (flow.length !== 1 || flow[0]?.live === undefined)
      throw new TypeError(`Expected a flow of one step, { live: {} }, got ${JSON.stringify(flow)}.`)
    const tell = (name: string, count = 1) => events.emit('counter', `nuvion.${name}`, count)
    return (context: unknown, done: Done): void => {
      events.emit('started')
      live(tell).then(
        () => done(null, context),
        error => {
          events.emit('error', error instanceof Error ? error.message : String(error))
          done(error, context)
        },
      )
    }
  }
}

async function live(tell: (name: string, count?: number) => void): Promise<void> {
  const link = openFieldLink()
  const { role, index } = await link.claim()
  await LIVES[role]({ link, index, tell })
}
