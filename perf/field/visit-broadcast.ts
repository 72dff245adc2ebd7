import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMeasuredAt } from '../load/workload.ts'
import type { FieldLink } from './field-link.ts'
import type { LiveSocket } from './live-socket.ts'

const ERRORS = 'userErrors { code message }'
const MUTATIONS = {
  joinBroadcast: [
    'JoinBroadcastInput',
    `session { id routerRtpCapabilities transport { id iceParameters iceCandidates dtlsParameters } } ${ERRORS}`,
  ],
  connectBroadcast: ['ConnectBroadcastInput', `sequence ${ERRORS}`],
  consumeBroadcast: ['ConsumeBroadcastInput', `consumers { id kind } ${ERRORS}`],
  resumeConsumer: ['ConsumerInput', `sequence ${ERRORS}`],
  leaveBroadcast: ['LeaveBroadcastInput', ERRORS],
} as const
type Call = keyof typeof MUTATIONS

const SIGNALING = `subscription ($sessionId: ID!) { signaling(sessionId: $sessionId) { __typename } }`

interface Payload {
  readonly userErrors: readonly { code: string; message: string }[]
  readonly session?: { id: string; routerRtpCapabilities: unknown }
  readonly consumers?: readonly { id: string }[]
}

/**
 * A viewer's whole conversation about a broadcast: join, follow the news, connect with a certificate of their own, consume,
 * resume, stay, leave. No packet is sent or received: those whom media reaches are counted by `--media`.
 */
export async function visitBroadcast({
  link,
  socket,
  deviceId,
  clientId,
  stayMs,
}: {
  link: FieldLink
  socket: LiveSocket
  deviceId: string
  clientId: string
  stayMs: number
}): Promise<void> {
  const { plan } = link
  const { workload } = await plan

  async function call(name: Call, input: object): Promise<Payload> {
    const [type, selection] = MUTATIONS[name]
    const beganMs = link.now()
    const isMeasured = isMeasuredAt(workload, beganMs)
    if (isMeasured) link.count('signalingCalls')
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    const data = await socket.ask(query, { input })
    const payload = data[name] as Payload
    const [problem] = payload.userErrors
    if (problem !== undefined) throw new Error(`${name}: ${problem.code} ${problem.message}`)
    link.signaled(beganMs, link.now() - beganMs)
    return payload
  }

  let stopNews: (() => void) | undefined
  try {
    const { session } = await call('joinBroadcast', { deviceId, clientId })
    if (session === undefined) throw new Error('joinBroadcast answered no session.')
    const sessionId = session.id
    stopNews = socket.subscribe(
      { query: SIGNALING, variables: { sessionId } },
      () => {},
      () => {},
    )
    const fingerprints = [{ algorithm: 'sha-256', value: makeFingerprint() }]
    await call('connectBroadcast', { sessionId, dtlsParameters: { role: 'client', fingerprints } })
    const rtpCapabilities = session.routerRtpCapabilities
    const { consumers = [] } = await call('consumeBroadcast', { sessionId, rtpCapabilities })
    for (const { id } of consumers) await call('resumeConsumer', { sessionId, consumerId: id })
    await sleep(stayMs, undefined, { signal: link.stopping }).catch(() => {})
    stopNews()
    if (!link.stopping.aborted) await call('leaveBroadcast', { sessionId })
  } catch (error) {
    stopNews?.()
    if (!link.stopping.aborted)
      link.fail('signalingFailed', error instanceof Error ? error.message : String(error))
  }
}

/** Of the certificate that a browser would have made: 32 bytes in hexadecimal, with colons. */
function makeFingerprint(): string {
  return (randomBytes(32).toString('hex').match(/../g) ?? []).join(':').toUpperCase()
}
