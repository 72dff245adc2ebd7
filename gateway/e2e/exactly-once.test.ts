import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { follow } from '../../subgraphs/shared/testkit/follow.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { connectStompDevice, type DeviceLogin } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'

const DEVICES = 50
const LOGS_PER_DEVICE = 20

interface LogPage {
  logs: {
    nodes: { id: string; message: string }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }
}

describe('one process a role, with ingest killed three times while 50 devices send and resend 1,000 logs', () => {
  let cluster: Cluster
  let token: string
  let spaceId: string

  beforeAll(async () => {
    cluster = await startCluster()
    token = await signIn(cluster.gatewayUrl)
    const { spaces } = await graphqlData<{ spaces: { nodes: { id: string }[] } }>(
      cluster.gatewayUrl,
      '{ spaces { nodes { id } } }',
      { token },
    )
    spaceId = spaces.nodes[0]?.id ?? ''
  }, 60_000)

  afterAll(() => cluster?.[Symbol.asyncDispose](), 60_000)

  async function registerDevice(code: string): Promise<DeviceLogin> {
    const { registerDevice } = await graphqlData<{
      registerDevice: { device: { id: string } | null; credential: string | null; userErrors: unknown[] }
    }>(
      cluster.gatewayUrl,
      `mutation ($input: RegisterDeviceInput!) {
        registerDevice(input: $input) { device { id } credential userErrors { code message field } }
      }`,
      { token, variables: { input: { spaceId, code, name: `Sender ${code}` } } },
    )
    expect(registerDevice.userErrors).toEqual([])
    return { deviceId: registerDevice.device?.id ?? '', credential: registerDevice.credential ?? '' }
  }

  async function readAllLogs(deviceIds: string[]): Promise<LogPage['logs']['nodes']> {
    const found: LogPage['logs']['nodes'] = []
    let after: string | null = null
    do {
      const page: LogPage = await graphqlData<LogPage>(
        cluster.gatewayUrl,
        `query ($spaceId: ID!, $deviceIds: [ID!], $after: String) {
          logs(spaceId: $spaceId, filter: { deviceIds: $deviceIds }, first: 100, after: $after) {
            nodes { id message } pageInfo { hasNextPage endCursor }
          }
        }`,
        { token, variables: { spaceId, deviceIds, after } },
      )
      found.push(...page.logs.nodes)
      after = page.logs.pageInfo.hasNextPage ? page.logs.pageInfo.endCursor : null
    } while (after !== null)
    return found
  }

  it('keeps each log exactly once and publishes each exactly once', { timeout: 120_000 }, async () => {
    const logins = await Promise.all(
      Array.from({ length: DEVICES }, (_, index) => registerDevice(`once-${index}`)),
    )
    await using followed = follow<{ logAdded: { id: string; device: { code: string } } }>(
      cluster.gatewayUrl,
      token,
      'subscription ($spaceId: ID!) { logAdded(spaceId: $spaceId) { id device { code } } }',
      { spaceId },
    )
    const devices = await Promise.all(logins.map(login => connectStompDevice(cluster.doorUrl, login)))
    await waitFor(
      async () => {
        await devices[0]?.send('/app/log', { id: newId(), level: 'DEBUG', message: 'Is anyone there?' })
        return followed.messages.length > 0
      },
      { deadlineMs: 20_000 },
    )

    const logs = logins.map((_, device) =>
      Array.from({ length: LOGS_PER_DEVICE }, (_, index) => ({
        id: newId(),
        level: 'INFO',
        message: `Part ${index} of device ${device}`,
      })),
    )
    const sendAll = () =>
      Promise.all(
        devices.map(async (device, index) => {
          for (const log of logs[index] ?? []) await device.send('/app/log', log)
        }),
      )
    let isKilling = true
    const killThrice = async () => {
      for (let kill = 0; kill < 3; kill++) await cluster.restart('ingest')
      isKilling = false
    }
    const killing = killThrice()
    let rounds = 0
    do {
      await sendAll()
      rounds++
    } while (isKilling || rounds < 2)
    await killing

    const sent = logs.flat().map(log => log.id)
    const countOf = async () => {
      const kept = (await readAllLogs(logins.map(login => login.deviceId))).filter(
        log => log.message !== 'Is anyone there?',
      )
      return kept.map(log => log.id)
    }
    await waitFor(async () => (await countOf()).length >= sent.length, { deadlineMs: 30_000 })
    expect((await countOf()).sort()).toEqual([...sent].sort())

    const missing = () => {
      const published = new Set(followed.messages.map(({ data }) => data.logAdded.id))
      return sent.filter(id => !published.has(id))
    }
    await waitFor(() => missing().length === 0, { deadlineMs: 30_000, what: 'every log on the live topic' })
    const times = followed.messages.map(({ data }) => data.logAdded.id).filter(id => sent.includes(id))
    expect(times.sort()).toEqual([...sent].sort())
    expect(followed.messages.every(({ data }) => data.logAdded.device.code.startsWith('once-'))).toBe(true)
    await Promise.all(devices.map(device => device[Symbol.asyncDispose]()))
  })
})
