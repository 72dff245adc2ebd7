import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { isMeasuredAt } from '../load/workload.ts'
import { makeMessage } from './device-messages.ts'
import { PROBE } from './field-protocol.ts'
import type { Life } from './life.ts'
import { followSchedule } from './schedule.ts'
import { openStompSession, type StompSession } from './sockjs-stomp.ts'

/** A message that has no receipt yet. */
interface Unreceipted {
  readonly destination: string
  readonly body: string
  readonly id: string | null
  readonly dueMs: number
}

const RECONNECT_MS = 500

/** A message that leaves later than this was held up by the generator itself. */
const LATE_MS = 20

/**
 * One device for the whole run: connects, sends each message when it is due whether those before it are receipted or
 * not, and after a lost session connects again and sends what was not receipted once more, with the same ids.
 */
export async function liveAsDevice({ link, index, tell }: Life): Promise<void> {
  const plan = await link.plan
  const own = plan.devices[index]
  if (own === undefined) throw new Error(`The world has no device ${index}.`)
  const waiting = new Map<string, Unreceipted>()
  let session: StompSession | null = null
  let sent = 0

  const open = async (): Promise<void> => {
    session = await openStompSession({
      ...{ url: plan.url, login: own.deviceId, passcode: own.credential },
      onReceipt(receipt) {
        const message = waiting.get(receipt)
        if (message === undefined) return
        waiting.delete(receipt)
        if (message.dueMs >= 0) link.receipted(message.id, message.dueMs)
      },
      onMessage: (command, text) => link.fail('messagesFailed', `${command}: ${text.slice(0, 200)}`),
      onEnd(reason) {
        session = null
        link.fail('reconnects', `device ${index}: ${reason}`)
        void reopen()
      },
    })
  }
  const reopen = async (): Promise<void> => {
    while (session === null && !link.stopping.aborted) {
      await sleep(RECONNECT_MS)
      await open().catch(error => link.fail('reconnects', `device ${index}: ${error.message}`))
    }
    for (const [receipt, { destination, body }] of waiting) session?.send(destination, body, receipt)
  }
  const send = (message: Unreceipted): void => {
    const receipt = String(sent++)
    waiting.set(receipt, message)
    session?.send(message.destination, message.body, receipt)
  }

  await open()
  if (index === 0) {
    let probes = 0
    link.onProbe(() => {
      const [logId, anomalyId] = [newId(), newId()]
      const log = { id: logId, level: 'DEBUG', message: PROBE }
      const type = `PROBE_${plan.runTag}_${probes++}`
      const anomaly = { id: anomalyId, type, severity: 'INFO', message: PROBE }
      send({ destination: '/app/log', body: JSON.stringify(log), id: null, dueMs: -1 })
      send({ destination: '/app/anomaly', body: JSON.stringify(anomaly), id: null, dueMs: -1 })
    })
  }
  link.stand('device', index)

  const nths = { state: 0, log: 0, connectivity: 0, anomaly: 0 }
  followSchedule(link, plan, index, ({ atMs, kind }) => {
    const { destination, body, id } = makeMessage(kind, index, nths[kind]++, plan.runTag)
    if (id !== null) link.sent(id, atMs)
    if (isMeasuredAt(plan.workload, atMs)) {
      link.count('messages')
      if (link.now() - atMs > LATE_MS) link.count('messagesLate')
    }
    tell(`sent.${kind}`)
    send({ destination, body, id, dueMs: atMs })
  })
  await new Promise(resolve => link.stopping.addEventListener('abort', resolve, { once: true }))
  if (waiting.size > 0) link.count('messagesUnreceipted', waiting.size)
  ;(session as StompSession | null)?.close()
}
