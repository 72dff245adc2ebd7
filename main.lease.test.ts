import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureIngestLog } from './main.testing/ingest-log-size.ts'
import { findLedgerFaults } from './main.testing/ledger-faults.ts'
import { createMessageLedger } from './main.testing/message-ledger.ts'
import { registerSenders, type Senders } from './main.testing/senders.ts'
import { type Cluster, startCluster } from './subgraphs/shared/testkit/cluster.ts'
import { createEnduringDevice, type EnduringDevice } from './subgraphs/shared/testkit/enduring-device.ts'
import { followOn } from './subgraphs/shared/testkit/follow-on.ts'
import type { Product } from './subgraphs/shared/testkit/product.ts'
import { createRandom } from './subgraphs/shared/testkit/random.ts'
import { waitFor } from './subgraphs/shared/testkit/wait-for.ts'

const DEVICES = 20

/** SENDs of a device that wait for their RECEIPTs together. */
const WINDOW = 4

const SHARDS = 8

/** A lease of 5 s, and 10 s more when the paused one holds locks in a transaction. */
const TAKE_OVER_MS = 30_000

describe('two ingest processes, of which the owner of all shards is paused for longer than its lease', () => {
  const random = createRandom(1)
  const ledger = createMessageLedger(random)
  let cluster: Cluster
  let senders: Senders
  let devices: EnduringDevice[]
  let processes: readonly { owner: string; product: Product }[]

  beforeAll(async () => {
    cluster = await startCluster()
    processes = [
      { owner: 'ingest', product: cluster.process('ingest') },
      { owner: 'ingest-2', product: await cluster.add('ingest', 'ingest-2') },
    ]
    senders = await registerSenders(cluster, DEVICES)
    devices = senders.logins.map(login => createEnduringDevice(cluster.doorUrl, login))
  }, 120_000)

  afterAll(async () => {
    for (const { product } of processes ?? []) process.kill(product.pid, 'SIGCONT')
    await Promise.all((devices ?? []).map(device => device[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  async function listOwners(): Promise<string[]> {
    const [rows] = await cluster.database.pool.query<RowDataPacket[]>('SELECT owner FROM ingest_offset')
    return rows.map(row => row.owner)
  }

  const ownsAll = async (owner: string) => {
    const owners = await listOwners()
    return owners.length === SHARDS && owners.every(one => one === owner)
  }

  it('loses it to the other one, and writes and publishes nothing when it goes on', {
    timeout: 180_000,
  }, async () => {
    const { spaceId, token, logins } = senders
    await using followed = followOn<{ logAdded: { id: string } }>(
      cluster.gatewayUrl,
      token,
      'subscription ($spaceId: ID!) { logAdded(spaceId: $spaceId) { id } }',
      { spaceId },
    )
    await waitFor(
      async () => {
        await devices[0]?.sendAll([ledger.next(logins[0]?.deviceId ?? '', 'log')])
        return followed.messages.length > 0
      },
      { deadlineMs: 30_000, what: 'a log on the live topic' },
    )
    const warmUp = new Set(ledger.logs.keys())

    let isDone = false
    const sendFrom = async (device: EnduringDevice, deviceId: string) => {
      while (!isDone) {
        const sends = Array.from({ length: WINDOW }, () => ledger.next(deviceId))
        await device.sendAll(sends)
      }
    }
    const moreMessages = async (more: number) => {
      const from = ledger.count
      await waitFor(() => ledger.count >= from + more, { deadlineMs: 60_000, what: `${more} messages` })
    }
    const pauseBoth = async () => {
      for (const [index, { owner, product }] of processes.entries()) {
        const other = processes[1 - index]
        await waitFor(() => ownsAll(owner), { what: `${owner} as the owner of all shards` })
        await moreMessages(200 + Math.floor(random() * 200))
        process.kill(product.pid, 'SIGSTOP')
        await waitFor(() => ownsAll(other?.owner ?? ''), {
          deadlineMs: TAKE_OVER_MS,
          what: `${other?.owner} as the owner of all shards`,
        })
        await moreMessages(200)
        process.kill(product.pid, 'SIGCONT')
        await waitFor(() => product.log().includes('ingest.shards_lost'), {
          deadlineMs: 30_000,
          what: `${owner} seeing that it has lost its shards`,
        })
        await moreMessages(200)
        expect(await ownsAll(other?.owner ?? '')).toBe(true)
      }
      isDone = true
    }
    await Promise.all([
      pauseBoth().finally(() => {
        isDone = true
      }),
      ...devices.map((device, index) => sendFrom(device, logins[index]?.deviceId ?? '')),
    ])

    await waitFor(async () => (await measureIngestLog(cluster.ingestUrl)).entries === 0, {
      deadlineMs: 60_000,
      what: 'an ingest log that is written and published',
    })
    expect(await findLedgerFaults(cluster.database.pool, spaceId, ledger)).toEqual([])

    const sent = [...ledger.logs.keys()].filter(id => !warmUp.has(id))
    const published = () =>
      followed.messages.flatMap(message => message?.logAdded.id ?? []).filter(id => !warmUp.has(id))
    await waitFor(() => published().length >= sent.length, {
      deadlineMs: 30_000,
      what: 'every log on the live topic',
    })
    const times = published()
    for (const { deviceId } of logins) {
      const isOfDevice = (id: string) => ledger.logs.get(id)?.deviceId === deviceId
      expect(times.filter(isOfDevice)).toEqual(sent.filter(isOfDevice))
    }
  })
})
