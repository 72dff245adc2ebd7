import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startTestSmtpServer,
  type TestSmtpServer,
} from '../../subgraphs/device/mailer/testing/smtp-server.ts'
import { addMembers } from '../../subgraphs/shared/testkit/add-members.ts'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { createEnduringDevice, type EnduringDevice } from '../../subgraphs/shared/testkit/enduring-device.ts'
import type { Product } from '../../subgraphs/shared/testkit/product.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { registerSenders, type Senders } from './testing/senders.ts'

/** Each recipient is told of each anomaly by itself: no more of these than make no storm yet. */
const DEVICES = 10
const RECIPIENTS = 100

/** Times that each device sends each of its anomalies. */
const REPEATS = 3

describe('1,000 alerts while ingest, the worker and both Redis are killed', () => {
  let smtp: TestSmtpServer
  let cluster: Cluster
  let worker: Product
  let senders: Senders
  let devices: EnduringDevice[]
  let addresses: string[]

  beforeAll(async () => {
    smtp = await startTestSmtpServer({ tls: false })
    cluster = await startCluster(
      { NUVION_SMTP_URL: smtp.url, NUVION_MAIL_FROM: 'NUVION <nuvion@example.com>' },
      { own: ['live-redis', 'ingest-redis'] },
    )
    worker = await cluster.add('worker', 'worker')
    senders = await registerSenders(cluster, DEVICES)
    addresses = await addMembers(cluster.database.db, { spaceId: senders.spaceId, count: RECIPIENTS })
    devices = senders.logins.map(login => createEnduringDevice(cluster.doorUrl, login))
  }, 120_000)

  afterAll(async () => {
    await Promise.all((devices ?? []).map(device => device[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
    await smtp?.[Symbol.asyncDispose]()
  }, 60_000)

  it('reach each recipient once each', { timeout: 240_000 }, async () => {
    const kills: [atMails: number, kill: () => Promise<void>][] = [
      [1, () => cluster.restart('ingest')],
      [
        150,
        async () => {
          await worker.end('SIGKILL')
          worker = await cluster.add('worker', 'worker')
        },
      ],
      [400, () => cluster.restart('ingest-redis')],
      [550, () => cluster.restart('live-redis')],
      [
        700,
        async () => {
          await Promise.all([worker.end('SIGKILL'), cluster.kill('ingest'), cluster.kill('ingest-redis')])
          await cluster.start('ingest-redis')
          await cluster.start('ingest')
          worker = await cluster.add('worker', 'worker')
        },
      ],
    ]
    let sent = 0
    const sendAll = async () => {
      for (const [index, device] of devices.entries()) {
        // Paced by the mails, so that the kills come between.
        await waitFor(() => smtp.received.length >= (index - 2) * RECIPIENTS, {
          deadlineMs: 120_000,
          what: `the mails of device ${index - 2}`,
        })
        const anomaly = { type: `fault-${index}`, severity: 'CRITICAL', message: 'It is too hot.' }
        await device.sendAll(
          Array.from({ length: REPEATS }, () => ({ destination: '/app/anomaly', body: anomaly })),
        )
        sent++
      }
    }
    const killAll = async () => {
      for (const [atMails, kill] of kills) {
        await waitFor(() => smtp.received.length >= atMails, {
          deadlineMs: 120_000,
          what: `${atMails} mails`,
        })
        await kill()
      }
    }
    await Promise.all([sendAll(), killAll()])
    expect(sent).toBe(DEVICES)
    await waitFor(() => smtp.received.length >= DEVICES * RECIPIENTS, {
      deadlineMs: 60_000,
      what: 'all mails',
    })
    await waitFor(async () => (await countWaiting(cluster)) === 0, {
      deadlineMs: 30_000,
      what: 'an outbox without mail',
    })

    const counts = new Map<string, number>()
    for (const { to, mail } of smtp.received) {
      const key = `${to.join()} ${/fault-\d+/.exec(mail.subject ?? '')?.[0]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const expected = addresses.flatMap(address => devices.map((_, index) => `${address} fault-${index}`))
    expect([...counts].filter(([, count]) => count > 1)).toEqual([])
    expect([...counts.keys()].sort()).toEqual(expected.sort())
    const headers = new Map(smtp.received[0]?.mail.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(headers.get('list-unsubscribe')).toMatch(/^<http:\/\/\S+\/unsubscribe\/[\w-]{75}>$/)
  })
})

async function countWaiting({ database }: Cluster): Promise<number> {
  const [rows] = await database.pool.query(
    'SELECT COUNT(*) AS waiting FROM mail_outbox WHERE sent_at IS NULL AND failed_at IS NULL',
  )
  return Number((rows as { waiting: number }[])[0]?.waiting)
}
