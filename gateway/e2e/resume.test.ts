import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMembers } from '../../subgraphs/shared/testkit/add-members.ts'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { type FollowedOn, followOn } from '../../subgraphs/shared/testkit/follow-on.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { connectStompDevice, type StompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'

const PEOPLE = 4
const SUBSCRIBERS = 200

/** Fields of both subgraphs, so that either of them is missed. */
const FOLLOW = `subscription ($spaceId: ID!) {
  logAdded(spaceId: $spaceId) { id message device { name } }
}`

interface Added {
  logAdded: { id: string; message: string; device: { name: string } | null }
}

describe('200 subscribers while everything between them and the devices is killed', () => {
  let cluster: Cluster
  let spaceId: string
  let device: StompDevice
  let followers: FollowedOn<Added>[]
  const sent: string[] = []

  beforeAll(async () => {
    cluster = await startCluster({}, { own: ['live-redis'] })
    const token = await signIn(cluster.gatewayUrl)
    const { spaces } = await graphqlData<{ spaces: { nodes: { id: string }[] } }>(
      cluster.gatewayUrl,
      '{ spaces { nodes { id } } }',
      { token },
    )
    spaceId = spaces.nodes[0]?.id ?? ''
    const { registerDevice } = await graphqlData<{
      registerDevice: { device: { id: string }; credential: string }
    }>(
      cluster.gatewayUrl,
      `mutation ($input: RegisterDeviceInput!) { registerDevice(input: $input) { device { id } credential } }`,
      { token, variables: { input: { spaceId, code: 'resume', name: 'Sender' } } },
    )
    device = await connectStompDevice(cluster.doorUrl, {
      deviceId: registerDevice.device.id,
      credential: registerDevice.credential,
    })
    const people = await addMembers(cluster.database.db, { spaceId, count: PEOPLE })
    const tokens = await Promise.all(people.map(email => signIn(cluster.gatewayUrl, email)))
    followers = Array.from({ length: SUBSCRIBERS }, (_, index) =>
      followOn<Added>(cluster.gatewayUrl, tokens[index % PEOPLE] ?? '', FOLLOW, { spaceId }),
    )
    // Only what has had a message knows where to go on.
    await waitFor(
      async () => {
        await device.send('/app/log', { id: newId(), level: 'DEBUG', message: 'first' })
        return followers.every(({ messages }) => messages.length > 0)
      },
      { deadlineMs: 30_000, what: 'a message at each of 200 subscribers' },
    )
  }, 120_000)

  afterAll(async () => {
    await Promise.all((followers ?? []).map(follower => follower[Symbol.asyncDispose]()))
    await device?.[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  const send = async () => {
    const id = newId()
    await device.send('/app/log', { id, level: 'INFO', message: 'counted' })
    sent.push(id)
  }

  /** What came to a follower of what was counted; null is a gap. */
  const countedOf = ({ messages }: FollowedOn<Added>) =>
    messages
      .filter(message => message === null || message.logAdded.message === 'counted')
      .map(message => message?.logAdded.id ?? null)

  it.each<[string, () => Promise<void>]>([
    ['the events subgraph', () => cluster.restart('events')],
    ['the device subgraph', () => cluster.restart('device')],
    ['the gateway', () => cluster.restart('gateway')],
    ['the gateway, asked to stop', () => cluster.restart('gateway', 'SIGTERM')],
    ['ingest', () => cluster.restart('ingest')],
    ['the live Redis', () => cluster.restart('live-redis')],
  ])('each gets every event exactly once and in order: %s', { timeout: 120_000 }, async (_, kill) => {
    let isKilling = true
    const killing = kill().finally(() => {
      isKilling = false
    })
    while (isKilling) await send()
    await killing
    for (let more = 0; more < 5; more++) await send()
    const last = sent.at(-1)
    await waitFor(() => followers.every(follower => countedOf(follower).at(-1) === last), {
      deadlineMs: 60_000,
      what: 'the last event at each of 200 subscribers',
    })
    for (const follower of followers) {
      expect(follower.ended).toBeUndefined()
      expect(countedOf(follower)).toEqual(sent)
    }
  })
})
