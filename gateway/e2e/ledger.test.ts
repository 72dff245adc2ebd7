import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, type ClusterPart, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { createEnduringDevice, type EnduringDevice } from '../../subgraphs/shared/testkit/enduring-device.ts'
import { followOn } from '../../subgraphs/shared/testkit/follow-on.ts'
import { createRandom } from '../../subgraphs/shared/testkit/random.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { measureIngestLog } from './testing/ingest-log-size.ts'
import { findLedgerFaults } from './testing/ledger-faults.ts'
import { createMessageLedger } from './testing/message-ledger.ts'
import { registerSenders, type Senders } from './testing/senders.ts'

const DEVICES = 50
const MESSAGES = 20_000

/** SENDs of a device that wait for their RECEIPTs together. */
const WINDOW = 16

/** How many of a device's windows it sends again, as when the RECEIPTs are lost on their way. */
const RESEND_CHANCE = 0.1

const PARTS: readonly ClusterPart[] = ['ingest', 'stomp', 'mariadb', 'live-redis', 'ingest-redis']
const KILLS_OF_EACH = 2

const seed = Number(process.env.NUVION_TEST_SEED ?? 1)

interface Kill {
  /** Messages that have their RECEIPTs when it comes. */
  readonly at: number
  readonly victims: readonly ClusterPart[]
}

/** Each part dies KILLS_OF_EACH times, now and then another one with it, at moments all over the run. */
function planKills(random: () => number): Kill[] {
  const parts = Array.from({ length: KILLS_OF_EACH }, () => PARTS).flat()
  const shuffled = parts.map(part => ({ part, rank: random() })).sort((a, b) => a.rank - b.rank)
  return shuffled.map(({ part }, index) => {
    const other = random() < 0.4 ? PARTS[Math.floor(random() * PARTS.length)] : undefined
    const victims = [...new Set(other === undefined ? [part] : [part, other])]
    return { at: Math.floor(((index + random()) / (shuffled.length + 1)) * MESSAGES), victims }
  })
}

describe(`20,000 messages of 50 devices while everything below them is killed (NUVION_TEST_SEED=${seed})`, () => {
  const random = createRandom(seed)
  const ledger = createMessageLedger(random)
  const kills = planKills(random)
  let cluster: Cluster
  let senders: Senders
  let devices: EnduringDevice[]

  beforeAll(async () => {
    cluster = await startCluster({}, { own: ['mariadb', 'live-redis', 'ingest-redis'] })
    senders = await registerSenders(cluster, DEVICES)
    devices = senders.logins.map(login => createEnduringDevice(cluster.doorUrl, login))
  }, 120_000)

  afterAll(async () => {
    await Promise.all((devices ?? []).map(device => device[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  it('are in the tables, the rollups and on the live topic exactly once', { timeout: 300_000 }, async () => {
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

    let receipted = 0
    let killed = 0
    const mayGoOn = () => receipted < (kills[killed + 1]?.at ?? Number.POSITIVE_INFINITY)
    const sendFrom = async (device: EnduringDevice, deviceId: string) => {
      while (ledger.count < MESSAGES) {
        const before = ledger.count
        const sends = Array.from({ length: 1 + Math.floor(random() * WINDOW) }, () => ledger.next(deviceId))
        const items = ledger.count - before
        await device.sendAll(sends)
        if (random() < RESEND_CHANCE) await device.sendAll(sends)
        receipted += items
        if (!mayGoOn()) await waitFor(mayGoOn, { deadlineMs: 60_000, what: 'the end of a kill' })
      }
    }
    const killAll = async () => {
      for (const { at, victims } of kills) {
        await waitFor(() => receipted >= at, { deadlineMs: 120_000, what: `${at} messages with a RECEIPT` })
        await Promise.all(victims.map(victim => cluster.kill(victim)))
        // Processes end when they start without their servers.
        for (const victim of victims.toSorted((a, b) => PARTS.indexOf(b) - PARTS.indexOf(a)))
          await cluster.start(victim)
        killed++
      }
    }
    await Promise.all([
      killAll(),
      ...devices.map((device, index) => sendFrom(device, logins[index]?.deviceId ?? '')),
    ])
    expect(killed).toBe(PARTS.length * KILLS_OF_EACH)
    expect(devices.every(({ connections }) => connections > 1)).toBe(true)
    expect(devices.flatMap(({ errors }) => errors)).toEqual([])

    await waitFor(async () => (await measureIngestLog(cluster.ingestUrl)).entries === 0, {
      deadlineMs: 60_000,
      what: 'an ingest log that is written and published',
    })
    expect(await findLedgerFaults(cluster.database.pool, spaceId, ledger)).toEqual([])

    const sent = [...ledger.logs.keys()].filter(id => !warmUp.has(id))
    const gaps = () => followed.messages.filter(message => message === null).length
    const published = () =>
      followed.messages.flatMap(message => message?.logAdded.id ?? []).filter(id => !warmUp.has(id))
    await waitFor(() => gaps() > 0 || published().length >= sent.length, {
      deadlineMs: 30_000,
      what: 'every log on the live topic, or a gap',
    })
    const times = published()
    expect(new Set(times).size).toBe(times.length)
    if (gaps() === 0) expect(new Set(times)).toEqual(new Set(sent))
    const came = new Set(times)
    for (const { deviceId } of logins) {
      const isOfDevice = (id: string) => ledger.logs.get(id)?.deviceId === deviceId
      expect(times.filter(isOfDevice)).toEqual(sent.filter(id => came.has(id) && isOfDevice(id)))
    }
    expect(followed.ended).toBeUndefined()
  })
})
