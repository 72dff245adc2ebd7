import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FieldLink } from './field-link.ts'
import { type FieldPlan, PROBE } from './field-protocol.ts'
import { keepSession } from './kept-session.ts'
import type { Life } from './life.ts'
import { type LiveMessage, type LiveSocket, openLiveSocket } from './live-socket.ts'
import { visitBroadcast } from './visit-broadcast.ts'

/** Devices of the page that a viewer has open. */
const PAGE = 20

const RECONNECT_MS = 500

/**
 * One viewer for the whole run: has a page of the dashboard open (states of its devices, presence, anomalies raised and
 * changed, the logs of one device), and between times joins the broadcast of a camera, stays and leaves.
 */
export async function liveAsViewer({ link, index, tell }: Life): Promise<void> {
  const plan = await link.plan
  const given = plan.sessions[plan.observers + index]
  if (given === undefined) throw new Error(`There is no session for viewer ${index}.`)
  const session = keepSession(given, problem => link.fail('subscriptionsFailed', problem))
  let socket: LiveSocket | null = null

  const take = (name: string, { data, errors }: LiveMessage): void => {
    if (errors !== undefined) {
      link.fail('subscriptionsFailed', `${name}: ${JSON.stringify(errors)}`)
      return
    }
    if (name === 'logs' || name === 'raised') {
      const event = (data?.logAdded ?? data?.anomalyRaised) as { id: string; message: string } | undefined
      if (event !== undefined && event.message !== PROBE) link.delivered(-1, event.id)
    } else if (name === 'states') link.count('stateNews')
    tell(`followed.${name}`)
  }
  const open = async (): Promise<void> => {
    const opened = await openLiveSocket({
      ...{ url: plan.url, token: session.accessToken },
      onClose(reason) {
        socket = null
        link.fail('reconnects', `viewer ${index}: ${reason}`)
        void reopen()
      },
    })
    socket = opened
    session.keep(opened)
    for (const [name, payload] of Object.entries(describePage(plan, index)))
      opened.subscribe(
        payload,
        message => take(name, message),
        error => {
          if (!link.stopping.aborted) link.fail('subscriptionsFailed', `${name} ended: ${error}`)
        },
      )
  }
  const reopen = async (): Promise<void> => {
    while (socket === null && !link.stopping.aborted) {
      await sleep(RECONNECT_MS)
      await open().catch(error => link.fail('reconnects', `viewer ${index}: ${error.message}`))
    }
  }

  await open()
  link.stand('viewer', index)
  await Promise.race([link.started, untilStopped(link)])
  // Not all at once, and not in step with one another.
  const restMs = Math.random() * plan.awayMs
  await sleep(restMs, undefined, { signal: link.stopping }).catch(() => {})
  const clientId = randomBytes(8).toString('hex')
  for (let visit = index; plan.cameras.length > 0 && !link.stopping.aborted; visit++) {
    const deviceId = plan.cameras[visit % plan.cameras.length]
    if (socket !== null && deviceId !== undefined)
      await visitBroadcast({ link, socket, deviceId, clientId, stayMs: plan.stayMs })
    await sleep(plan.awayMs, undefined, { signal: link.stopping }).catch(() => {})
  }
  await untilStopped(link)
  session.stop()
  ;(socket as LiveSocket | null)?.close()
}

async function untilStopped({ stopping }: FieldLink): Promise<void> {
  if (stopping.aborted) return
  await new Promise(resolve => stopping.addEventListener('abort', resolve, { once: true }))
}

/** What a page follows. */
function describePage({ devices, spaceId }: FieldPlan, index: number): Record<string, object> {
  const first = (index * PAGE) % Math.max(1, devices.length)
  const page = devices.slice(first, first + PAGE).map(({ deviceId }) => deviceId)
  const subscription = (query: string, variables: object = {}) => ({
    query,
    variables: { spaceId, ...variables },
  })
  return {
    states: subscription(
      `subscription ($spaceId: ID!, $deviceIds: [ID!]) { deviceStateChanged(spaceId: $spaceId, deviceIds: $deviceIds) {
        id online state { status metrics reportedAt } connectivity { network latencyMs } } }`,
      { deviceIds: page },
    ),
    presence: subscription(
      `subscription ($spaceId: ID!) { devicePresenceChanged(spaceId: $spaceId) { id online lastSeenAt } }`,
    ),
    raised: subscription(
      `subscription ($spaceId: ID!) { anomalyRaised(spaceId: $spaceId) { id type severity message device { id name } } }`,
    ),
    updated: subscription(
      `subscription ($spaceId: ID!) { anomalyUpdated(spaceId: $spaceId) { id status occurrences severity version } }`,
    ),
    logs: subscription(
      `subscription ($spaceId: ID!, $filter: LogFilter) { logAdded(spaceId: $spaceId, filter: $filter) {
        id level message occurredAt device { id name } } }`,
      { filter: { deviceIds: page.slice(0, 1) } },
    ),
  }
}
