import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { device, deviceCredential, membership } from '../../schema/mysql/device-tables.ts'
import { createSecret, digestSecret } from '../../subgraphs/device/opaque-secret.ts'
import { follow } from '../../subgraphs/shared/testkit/follow.ts'
import { signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import {
  connectStompDevice,
  type DeviceLogin,
  type DeviceTokenLogin,
} from '../../subgraphs/shared/testkit/stomp-device.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import {
  addFactory,
  addPerson,
  addSession,
  emailOf,
  type Factory,
  PASSWORD,
  publishEvents,
} from './testing/factory-world.ts'
import { startWholeProduct, type WholeProduct } from './testing/whole-product.ts'

const COUNT = 100
const OPERATIONS = 10_000
/** Of these operations every tenth reads logs, which are in no memory. */
const READS = OPERATIONS / 10
/** How long a role is believed. */
const ROLE_AGE_MS = 30_000
/** Credentials that are shown within it are looked up together. */
const CREDENTIALS_INTERVAL_MS = 50

const TOPOLOGY = `query ($id: ID!) { space(id: $id) { name viewerRole lines { name devices(first: 5) {
  nodes { code online state { status } } } } } }`
const LOGS = 'query ($id: ID!) { logs(spaceId: $id, first: 5) { nodes { message } } }'
const LOG_ADDED = 'subscription ($id: ID!) { logAdded(spaceId: $id) { message device { name } } }'

/** What rights cost, in SQL statements of the whole product. */
describe('the statements of', () => {
  let product: WholeProduct
  let factory: Factory
  let people: { id: string; token: string }[]

  beforeAll(async () => {
    product = await startWholeProduct()
    const { past, signer } = product
    factory = await addFactory(product, 'counted', await addPerson(product, 'Invitee'))
    const { spaceId } = factory.ids
    people = await Promise.all(
      Array.from({ length: COUNT }, async (_, i) => {
        const id = await addPerson(product, `Person ${i}`)
        await past.db
          .insert(membership)
          .values({ spaceId, userId: id, role: i % 2 === 0 ? 'VIEWER' : 'ADMIN', joinedAt: new Date() })
        const sessionId = await addSession(product, id)
        return { id, token: (await signer.signUser({ userId: id, sessionId })).token }
      }),
    )
  }, 60_000)
  afterAll(() => product[Symbol.asyncDispose](), 60_000)

  /** Answers the statements that the product sends meanwhile. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    product.statements.length = 0
    await work()
    return [...product.statements]
  }

  it('100 sign-ins are 500', async () => {
    const statements = await statementsOf(async () => {
      for (let i = 0; i < COUNT; i += 10)
        await Promise.all(people.slice(i, i + 10).map(({ id }) => signIn(product.url, emailOf(id), PASSWORD)))
    })
    expect(statements).toHaveLength(5 * COUNT)
  })

  it('100 sockets that connect and subscribe are one a person at most, and none when they come back', async () => {
    const { spaceId } = factory.ids
    const connectAll = async () => {
      await using stack = new AsyncDisposableStack()
      const followed = people.map(({ token }) =>
        stack.use(follow(product.url, token, LOG_ADDED, { id: spaceId })),
      )
      let isHeard = false
      const heard = Promise.all(followed.map(one => one.first(() => true))).then(() => {
        isHeard = true
      })
      while (!isHeard) await Promise.race([heard, publishEvents(product, factory)])
      await heard
    }
    const cold = await statementsOf(connectAll)
    // Besides, the device of the event is looked up once.
    expect(cold.filter(sql => !/from `?membership/.test(sql)).length).toBeLessThanOrEqual(2)
    expect(cold.length).toBeLessThanOrEqual(COUNT + 2)
    expect(await statementsOf(connectAll)).toEqual([])
  })

  it('100 devices that CONNECT are one each 50 ms with credentials, none when they come back, none with tokens', async () => {
    const { spaceId } = factory.ids
    const createdAt = new Date()
    const logins = Array.from({ length: COUNT }, () => ({ deviceId: newId(), credential: createSecret() }))
    const { db } = product.past
    await db
      .insert(device)
      .values(
        logins.map(({ deviceId: id }, i) => ({ id, spaceId, code: `C-${i}`, name: 'Press', createdAt })),
      )
    await db
      .insert(deviceCredential)
      .values(
        logins.map(({ deviceId, credential }) => ({ deviceId, digest: digestSecret(credential), createdAt })),
      )
    const tokens = await Promise.all(
      logins.map(async ({ deviceId }) => {
        const { token } = await product.signer.signDevice({ deviceId, spaceId })
        return { token }
      }),
    )
    const connectAll = async (all: readonly (DeviceLogin | DeviceTokenLogin)[]) => {
      const devices = await Promise.all(all.map(login => connectStompDevice(product.url, login)))
      await Promise.all(devices.map(one => one.send('/app/log', { level: 'INFO', message: 'hello' })))
      await Promise.all(devices.map(one => one[Symbol.asyncDispose]()))
    }
    const startedAt = performance.now()
    const cold = await statementsOf(() => connectAll(logins))
    expect(cold.length).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / CREDENTIALS_INTERVAL_MS)
    expect(cold.length).toBeLessThan(COUNT)
    expect(await statementsOf(() => connectAll(logins))).toEqual([])
    expect(await statementsOf(() => connectAll(tokens))).toEqual([])
  })

  it('10,000 operations of members are those that read their rows: for rights there is none', async () => {
    const { spaceId: id } = factory.ids
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const ask = async (i: number) => {
      const { token = '' } = people[i % COUNT] ?? {}
      const answer = await post(agent, product.url, token, {
        query: i % 10 === 0 ? LOGS : TOPOLOGY,
        variables: { id },
      })
      if (/"errors"|null/.test(answer) || !answer.includes('counted')) throw new Error(answer)
    }
    const askAll = async (from: number, to: number) => {
      let next = from
      const worker = async () => {
        while (next < to) await ask(next++)
      }
      await Promise.all(Array.from({ length: 20 }, worker))
    }
    product.forget()
    await askAll(0, 10 * COUNT)
    const startedAt = performance.now()
    const statements = await statementsOf(() => askAll(0, OPERATIONS))
    const reads = statements.filter(sql => /from `?log\b/i.test(sql))
    expect(reads).toHaveLength(READS)
    // What is remembered for a time is looked up again after it, on a slow machine.
    const turns = Math.floor((performance.now() - startedAt) / ROLE_AGE_MS)
    expect(statements.length - reads.length).toBeLessThanOrEqual(turns * (COUNT + 5))
    agent.destroy()
  })
})

/** POSTs an operation over a connection that is kept, and answers the body. */
function post(agent: Agent, url: string, token: string, body: object): Promise<string> {
  const answered = Promise.withResolvers<string>()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sent = request(`${url}/graphql`, { method: 'POST', agent, headers }, async response => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    answered.resolve(Buffer.concat(chunks).toString())
  })
  sent.on('error', answered.reject)
  sent.end(JSON.stringify(body))
  return answered.promise
}
