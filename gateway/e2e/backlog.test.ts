import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { createEnduringDevice, type EnduringDevice } from '../../subgraphs/shared/testkit/enduring-device.ts'
import { createRandom } from '../../subgraphs/shared/testkit/random.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { measureIngestLog } from './testing/ingest-log-size.ts'
import { findLedgerFaults } from './testing/ledger-faults.ts'
import { createMessageLedger } from './testing/message-ledger.ts'
import { registerSenders, type Senders } from './testing/senders.ts'

const isFull = process.env.NUVION_TEST_BACKLOG === 'full'

/** How long MariaDB is away. */
const OUTAGE_MS = isFull ? 300_000 : 20_000

/** SENDs of all devices together. */
const SENDS_PER_SECOND = 500
const DEVICES = 50

/** Some seconds of what the devices send, so that most of the outage is under pressure. */
const MAX_LOG_BYTES = isFull ? 16 * 1024 * 1024 : 1024 * 1024

/** The door looks at the log once a second, at an estimate of its size, and has what it has read by then. */
const LOG_SLACK_BYTES = 1024 * 1024 + MAX_LOG_BYTES / 8

/** A device that is not read for longer is offline if the door does not know better. */
const LIFE_SIGN_SECONDS = 5

/** A device stops to make messages when so many SENDs wait for their RECEIPTs, as one with a bounded queue does. */
const MAX_WAITING = 100

/** Bound of each heap, so that memory that grows is not taken for garbage that nobody had to collect yet. */
const HEAP_MIB = 128

/** What the two processes may grow by, caches and garbage below the bound included. */
const RSS_SLACK_BYTES = 128 * 1024 * 1024

/** How long the devices send before. */
const WARM_UP_MS = isFull ? 20_000 : 5_000

const TICK_MS = 100

describe(`MariaDB is away for ${OUTAGE_MS / 1000} s while devices send (NUVION_TEST_BACKLOG=${isFull ? 'full' : ''})`, () => {
  const ledger = createMessageLedger(createRandom(1))
  let cluster: Cluster
  let senders: Senders
  let devices: EnduringDevice[]

  beforeAll(async () => {
    cluster = await startCluster(
      {
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
        NUVION_INGEST_LOG_MAX_BYTES: String(MAX_LOG_BYTES),
        NUVION_LIFE_SIGN_SECONDS: String(LIFE_SIGN_SECONDS),
      },
      { own: ['mariadb', 'ingest-redis'] },
    )
    senders = await registerSenders(cluster, DEVICES)
    devices = senders.logins.map(login =>
      createEnduringDevice(cluster.doorUrl, login, { receiptDeadlineMs: 2 * OUTAGE_MS + 120_000 }),
    )
  }, 120_000)

  afterAll(async () => {
    await Promise.all((devices ?? []).map(device => device[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  /** Resident memory of a process, in bytes. */
  const readRss = async (role: 'stomp' | 'ingest') => {
    const status = await readFile(`/proc/${cluster.process(role).pid}/status`, 'utf8')
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024
  }
  const readMemory = async () => ({ stomp: await readRss('stomp'), ingest: await readRss('ingest') })

  it('the log and the memory stay bounded, nobody goes offline, and all is written afterwards', {
    timeout: 3 * OUTAGE_MS + 240_000,
  }, async () => {
    const { spaceId, logins } = senders
    const waiting = logins.map(() => new Set<Promise<void>>())
    /** Sends of each device as many as its turn; what would wait too long is not made. */
    const sendFor = async (durationMs: number, look: () => Promise<void>) => {
      const startedAt = performance.now()
      let turns = 0
      let lookedAt = startedAt
      for (let now = startedAt; now - startedAt < durationMs; now = performance.now()) {
        for (const due = ((now - startedAt) / 1000) * SENDS_PER_SECOND; turns < due; turns++) {
          const index = turns % DEVICES
          const ofDevice = waiting[index]
          if (ofDevice === undefined || ofDevice.size >= MAX_WAITING) continue
          const sent =
            devices[index]?.sendAll([ledger.next(logins[index]?.deviceId ?? '')]) ?? Promise.resolve()
          ofDevice.add(sent)
          sent.finally(() => ofDevice.delete(sent)).catch(() => {})
        }
        if (now - lookedAt >= 1_000) {
          lookedAt = now
          await look()
        }
        await sleep(TICK_MS)
      }
    }

    await Promise.all(
      devices.map((device, index) => device.sendAll([ledger.next(logins[index]?.deviceId ?? '')])),
    )
    await sendFor(WARM_UP_MS, async () => {})
    const before = await readMemory()
    await cluster.kill('mariadb')
    let maxBytes = 0
    await sendFor(OUTAGE_MS, async () => {
      maxBytes = Math.max(maxBytes, (await measureIngestLog(cluster.ingestUrl)).bytes)
    })
    const heldBack = waiting.reduce((sum, ofDevice) => sum + ofDevice.size, 0)
    const after = await readMemory()
    if (isFull) console.log({ messages: ledger.count, before, after, maxBytes, heldBack })

    await cluster.start('mariadb')
    await waitFor(() => waiting.every(ofDevice => ofDevice.size === 0), {
      deadlineMs: OUTAGE_MS + 60_000,
      what: 'the RECEIPT of everything that was held back',
    })
    await waitFor(async () => (await measureIngestLog(cluster.ingestUrl)).entries === 0, {
      deadlineMs: OUTAGE_MS + 60_000,
      what: 'an ingest log that is written and published',
    })
    expect(await findLedgerFaults(cluster.database.pool, spaceId, ledger)).toEqual([])

    expect(maxBytes).toBeGreaterThanOrEqual(MAX_LOG_BYTES)
    expect(maxBytes).toBeLessThan(MAX_LOG_BYTES + LOG_SLACK_BYTES)
    expect(heldBack).toBeGreaterThan(DEVICES)
    expect(after.stomp + after.ingest).toBeLessThan(before.stomp + before.ingest + RSS_SLACK_BYTES)
    expect(devices.map(({ connections }) => connections)).toEqual(devices.map(() => 1))
    const [offline] = await cluster.database.pool.query<RowDataPacket[]>(
      `SELECT device_id FROM presence_event WHERE space_id = ? AND kind = 'OFFLINE'`,
      [spaceId],
    )
    expect(offline).toEqual([])
  })
})
