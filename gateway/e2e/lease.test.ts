import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { createEnduringDevice, type EnduringDevice } from '../../subgraphs/shared/testkit/enduring-device.ts'
import { type FollowedOn, followOn } from '../../subgraphs/shared/testkit/follow-on.ts'
import type { Product } from '../../subgraphs/shared/testkit/product.ts'
import { createRandom } from '../../subgraphs/shared/testkit/random.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { measureIngestLog } from './testing/ingest-log-size.ts'
import { findLedgerFaults } from './testing/ledger-faults.ts'
import { createMessageLedger } from './testing/message-ledger.ts'
import { registerSenders, type Senders } from './testing/senders.ts'

const DEVICES = 20

/** SENDs of a device that wait for their RECEIPTs together. */
const WINDOW = 4

/** Between the windows of a device. */
const PAUSE_MS = 100

const SHARDS = 8

/** A lease of 5 s, and 10 s more when the paused one holds locks in a transaction. */
const TAKE_OVER_MS = 30_000

/** Makes the owner of the shards wait inside the database, so that it can be paused right there. */
interface Hold {
  readonly begin: readonly string[]
  readonly end: string
  /** What the owner is waiting with. */
  readonly statement: string
}

const IN_TRANSACTION: Hold = {
  begin: ['BEGIN', 'SELECT shard FROM ingest_offset FOR UPDATE'],
  end: 'ROLLBACK',
  statement: 'UPDATE ingest_offset SET last_id%',
}

const BEFORE_ANSWER: Hold = {
  begin: ['BACKUP STAGE START', 'BACKUP STAGE BLOCK_COMMIT'],
  end: 'BACKUP STAGE END',
  statement: 'COMMIT',
}

describe('two ingest processes, of which the owner of all shards is paused for longer than its lease', () => {
  const random = createRandom(1)
  const ledger = createMessageLedger(random)
  let cluster: Cluster
  let senders: Senders
  let devices: EnduringDevice[]
  let followed: FollowedOn<{ logAdded: { id: string } }>
  let warmUp: ReadonlySet<string>
  let processes: readonly { owner: string; product: Product }[]

  beforeAll(async () => {
    cluster = await startCluster({}, { own: ['mariadb'] })
    processes = [
      { owner: 'ingest', product: cluster.process('ingest') },
      { owner: 'ingest-2', product: await cluster.add('ingest', 'ingest-2') },
    ]
    senders = await registerSenders(cluster, DEVICES)
    devices = senders.logins.map(login => createEnduringDevice(cluster.doorUrl, login))
    followed = followOn(
      cluster.gatewayUrl,
      senders.token,
      'subscription ($spaceId: ID!) { logAdded(spaceId: $spaceId) { id } }',
      { spaceId: senders.spaceId },
    )
    await waitFor(
      async () => {
        await devices[0]?.sendAll([ledger.next(senders.logins[0]?.deviceId ?? '', 'log')])
        return followed.messages.length > 0
      },
      { deadlineMs: 30_000, what: 'a log on the live topic' },
    )
    warmUp = new Set(ledger.logs.keys())
  }, 120_000)

  afterAll(async () => {
    for (const { product } of processes ?? []) process.kill(product.pid, 'SIGCONT')
    await followed?.[Symbol.asyncDispose]()
    await Promise.all((devices ?? []).map(device => device[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  async function findOwner() {
    const [rows] = await cluster.database.pool.query<RowDataPacket[]>('SELECT owner FROM ingest_offset')
    return processes.find(({ owner }) => rows.length === SHARDS && rows.every(row => row.owner === owner))
  }

  async function isWaitingWith(connection: PoolConnection, statement: string): Promise<boolean> {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT id FROM information_schema.processlist WHERE info LIKE ?',
      [statement],
    )
    return rows.length > 0
  }

  async function pause(pid: number, hold: Hold | null): Promise<void> {
    if (hold === null) {
      process.kill(pid, 'SIGSTOP')
      return
    }
    const connection = await cluster.database.pool.getConnection()
    try {
      for (const sql of hold.begin) await connection.query(sql)
      await waitFor(() => isWaitingWith(connection, hold.statement), {
        what: `an owner in ${hold.statement}`,
      })
      process.kill(pid, 'SIGSTOP')
      await connection.query(hold.end)
    } finally {
      connection.destroy()
    }
  }

  const published = () =>
    followed.messages.flatMap(message => message?.logAdded.id ?? []).filter(id => !warmUp.has(id))

  const deviceOf = (id: string) => ledger.logs.get(id)?.deviceId

  const moreMessages = async (more: number) => {
    const from = ledger.count
    await waitFor(() => ledger.count >= from + more, { deadlineMs: 60_000, what: `${more} messages` })
  }

  async function pauseOwner(hold: Hold | null): Promise<void> {
    const paused = await waitFor(findOwner, { deadlineMs: TAKE_OVER_MS, what: 'one owner of all shards' })
    const losses = () => paused.product.log().split('ingest.shards_lost').length
    const before = losses()
    await moreMessages(200 + Math.floor(random() * 200))
    await pause(paused.product.pid, hold)
    const isTakenOver = async () => {
      const now = await findOwner()
      return now !== undefined && now !== paused
    }
    await waitFor(isTakenOver, { deadlineMs: TAKE_OVER_MS, what: 'the other one as the owner of all shards' })
    const takenOverAt = [...ledger.logs.keys()].at(-1) ?? ''
    const caughtUp = () =>
      new Set(
        published()
          .filter(id => id > takenOverAt)
          .map(deviceOf),
      )
    await waitFor(() => caughtUp().size === DEVICES, {
      deadlineMs: 30_000,
      what: 'a new owner that has caught up',
    })
    process.kill(paused.product.pid, 'SIGCONT')
    await waitFor(() => losses() > before, {
      deadlineMs: 30_000,
      what: `${paused.owner} seeing that it has lost its shards`,
    })
    await moreMessages(200)
    expect(await isTakenOver()).toBe(true)
  }

  it.each<[string, Hold | null]>([
    ['anywhere', null],
    ['in a transaction', IN_TRANSACTION],
    ['between a commit and its answer', BEFORE_ANSWER],
  ])('writes and publishes nothing when it goes on: paused %s', { timeout: 180_000 }, async (_, hold) => {
    const { spaceId, logins } = senders
    let isDone = false
    const sendFrom = async (device: EnduringDevice, deviceId: string) => {
      while (!isDone) {
        await device.sendAll(Array.from({ length: WINDOW }, () => ledger.next(deviceId)))
        await sleep(PAUSE_MS)
      }
    }
    await Promise.all([
      pauseOwner(hold).finally(() => {
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
    await waitFor(() => new Set(published()).size >= sent.length, {
      deadlineMs: 30_000,
      what: 'every log on the live topic',
    })
    const times = published()
    for (const { deviceId } of logins) {
      const isOfDevice = (id: string) => deviceOf(id) === deviceId
      expect(times.filter(isOfDevice)).toEqual(sent.filter(isOfDevice))
    }
  })
})
