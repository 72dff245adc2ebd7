import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type LiveGateway, listNumbers, startLiveGateway } from '../testing/start-live-gateway.ts'

const QUERY = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id note } }'
const SPACE = 'factory'
const variables = { s: SPACE }

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

let live: LiveGateway

afterEach(async () => {
  await live[Symbol.asyncDispose]()
})

async function begin(limits?: { reopenDeadlineMs: number }) {
  live = await startLiveGateway('remote', limits)
  live.gateway.fixture.setRole('ann', SPACE, 'VIEWER')
  const client = await live.signIn('ann')
  client.subscribe('1', QUERY, { variables })
  await live.settled({ subscriptions: 1, groups: 1 })
  return client
}

test('a subgraph that is killed and started again costs nobody an event, and gives nobody one twice', async () => {
  const client = await begin()
  const held = Promise.withResolvers<void>()
  // Events that are still being run when the stream is open again must not be read once more.
  live.world.beforeNote = number => (number <= 5 ? held.promise : undefined)
  await live.world.publish(SPACE, ...range(1, 5))
  await waitFor(() => live.world.runs.care.size === 5, { what: 'five running events' })
  await live.gateway.kill('plant')
  await live.world.publish(SPACE, ...range(6, 10))
  await live.gateway.revive('plant')
  await live.settled({ subscriptions: 1, groups: 1 })
  await live.world.publish(SPACE, 11)
  await waitFor(() => live.world.runs.plant.has(11), { what: 'the event after it' })
  held.resolve()
  await waitFor(() => listNumbers(client.results('1')).includes(11), { what: 'the last event' })
  expect(listNumbers(client.results('1'))).toEqual(range(1, 11))
})

test('again and again, while events flow, also for who resumes meanwhile', async () => {
  const client = await begin()
  const resumer = await live.signIn('ann')
  const publishing = live.world.publish(SPACE, ...range(1, 400))
  for (const [index, at] of [50, 150, 250].entries()) {
    await client.next('1', at)
    await live.gateway.kill('plant')
    await live.gateway.revive('plant')
    const resumeAfter = client.results('1')[at - 1]?.extensions?.cursor
    resumer.subscribe(String(index), QUERY, { variables, resumeAfter })
  }
  await publishing
  await waitFor(() => listNumbers(client.results('1')).includes(400), { what: 'the end', deadlineMs: 20_000 })
  expect(listNumbers(client.results('1'))).toEqual(range(1, 400))
  for (const [index, at] of [50, 150, 250].entries()) {
    const results = await resumer.next(String(index), 400 - at)
    expect(listNumbers(results)).toEqual(range(at + 1, 400))
  }
}, 40_000)

test('one that is gone for good ends its subscriptions with UNAVAILABLE, of those too who are catching up', async () => {
  const client = await begin({ reopenDeadlineMs: 300 })
  await live.world.publish(SPACE, 1, 2)
  const [first] = await client.next('1', 2)
  await live.gateway.kill('plant')
  client.subscribe('2', QUERY, { variables, resumeAfter: first?.extensions?.cursor })
  for (const id of ['1', '2'])
    expect(await client.ended(id), id).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
  await live.settled({ subscriptions: 0, groups: 0 })
})

test('one that refuses when it is asked again tells everyone why, and ends', async () => {
  const client = await begin()
  await live.world.publish(SPACE, 1)
  const [first] = await client.next('1', 1)
  await live.gateway.kill('plant')
  client.subscribe('2', QUERY, { variables, resumeAfter: first?.extensions?.cursor })
  live.world.isRefusing = true
  await live.gateway.revive('plant')
  for (const id of ['1', '2']) {
    const error = await client.ended(id)
    const refusal = { errors: [expect.objectContaining({ extensions: { code: 'FORBIDDEN' } })] }
    if (error === undefined) expect(client.results(id).at(-1)).toEqual(refusal)
    else expect(error).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  }
  await live.settled({ subscriptions: 0, groups: 0 })
})
