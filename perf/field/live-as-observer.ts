import { setTimeout as sleep } from 'node:timers/promises'
import { PROBE } from './field-protocol.ts'
import { keepSession } from './kept-session.ts'
import type { Life } from './life.ts'
import { type LiveMessage, type LiveSocket, openLiveSocket } from './live-socket.ts'

const TOPICS = {
  log: {
    field: 'logAdded',
    query: `subscription ($spaceId: ID!) { logAdded(spaceId: $spaceId) { id level message occurredAt device { id name line { id name } } } }`,
  },
  anomaly: {
    field: 'anomalyRaised',
    query: `subscription ($spaceId: ID!) { anomalyRaised(spaceId: $spaceId) { id type severity message occurredAt device { id name line { id name } } } }`,
  },
} as const
type Topic = keyof typeof TOPICS

const RECONNECT_MS = 500

/**
 * One observer for the whole run: follows every log and every anomaly of the space, and tells of each that comes. After a
 * lost socket it resumes after the last message, so that only what the product loses is lost.
 */
export async function liveAsObserver({ link, index, tell }: Life): Promise<void> {
  const plan = await link.plan
  const given = plan.sessions[index]
  if (given === undefined) throw new Error(`There is no session for observer ${index}.`)
  const session = keepSession(given, problem => link.fail('subscriptionsFailed', problem))
  const cursors: Partial<Record<Topic, string>> = {}
  let socket: LiveSocket | null = null

  const take = (topic: Topic, { data, errors, extensions }: LiveMessage): void => {
    cursors[topic] = extensions?.cursor ?? cursors[topic]
    if (extensions?.gap === true) {
      link.fail('gaps', `observer ${index}: a gap in ${topic}`)
      return
    }
    const event = data?.[TOPICS[topic].field] as { id: string; message: string } | undefined
    if (event === undefined || errors !== undefined)
      link.fail('subscriptionsFailed', `${topic}: ${JSON.stringify(errors)}`)
    else if (event.message === PROBE) link.probed(index, topic)
    else {
      link.delivered(index, event.id)
      tell(`observed.${topic}`)
    }
  }
  const open = async (): Promise<void> => {
    socket = await openLiveSocket({
      ...{ url: plan.url, token: session.accessToken },
      onClose(reason) {
        socket = null
        link.fail('reconnects', `observer ${index}: ${reason}`)
        void reopen()
      },
    })
    session.keep(socket)
    for (const topic of ['log', 'anomaly'] as const) {
      const resumeAfter = cursors[topic]
      const payload = {
        ...{ query: TOPICS[topic].query, variables: { spaceId: plan.spaceId } },
        ...(resumeAfter === undefined ? {} : { extensions: { resumeAfter } }),
      }
      socket.subscribe(
        payload,
        message => take(topic, message),
        error => {
          if (!link.stopping.aborted) link.fail('subscriptionsFailed', `${topic} ended: ${error}`)
        },
      )
    }
  }
  const reopen = async (): Promise<void> => {
    while (socket === null && !link.stopping.aborted) {
      await sleep(RECONNECT_MS)
      await open().catch(error => link.fail('reconnects', `observer ${index}: ${error.message}`))
    }
  }

  await open()
  link.stand('observer', index)
  await new Promise(resolve => link.stopping.addEventListener('abort', resolve, { once: true }))
  session.stop()
  ;(socket as LiveSocket | null)?.close()
}
