import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { AppError } from '../errors.ts'
import { refuse } from '../graphql/refusal.ts'
import { createLogger } from '../logger.ts'
import { openTestRedis, type TestRedis } from '../testkit/open-test-redis.ts'
import { type CallRoute, openRemoteCaller, serveRemoteCalls } from './remote-calls.ts'

const route: CallRoute = {
  calls: redisKeys.broadcastDeskCalls(),
  claim: redisKeys.broadcastDeskClaim,
  replies: redisKeys.broadcastDeskReplies,
}
const logger = createLogger({ level: 'silent', role: 'test' })
let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(() => redis[Symbol.asyncDispose]())

const wire = () => ({ url: redis.liveUrl, redis: redis.live, route, logger })

it('answers values, refusals and errors to whoever has called, each call by one of those who serve', async () => {
  const served: string[] = []
  const handle = (by: string) => async (name: string, args: unknown) => {
    served.push(by)
    if (name === 'refused') refuse('CONFLICT', 'field', 'No.')
    if (name === 'full') throw new AppError('UNAVAILABLE', 'Full.')
    if (name === 'broken') throw new Error('a secret of ours')
    return { name, args }
  }
  await using _one = await serveRemoteCalls({ ...wire(), handle: handle('one') })
  await using _two = await serveRemoteCalls({ ...wire(), handle: handle('two') })
  await using caller = await openRemoteCaller(wire())
  await using other = await openRemoteCaller(wire())
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? caller : other).call('sum', [i])),
  )
  expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => ({ name: 'sum', args: [i] })))
  expect(served).toHaveLength(50)
  await expect(caller.call('refused', null)).rejects.toMatchObject({
    userErrors: [{ code: 'CONFLICT', field: 'field', message: 'No.' }],
  })
  await expect(caller.call('full', null)).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'Full.' })
  await expect(caller.call('broken', null)).rejects.toMatchObject({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on our side.',
  })
})

it('is UNAVAILABLE at once where nobody serves, and after the deadline where no answer comes', async () => {
  await using caller = await openRemoteCaller({ ...wire(), deadlineMs: 200 })
  await expect(caller.call('any', null)).rejects.toThrow(/Nobody answers/)
  await using _mute = await serveRemoteCalls({ ...wire(), handle: () => new Promise(() => {}) })
  await expect(caller.call('any', null)).rejects.toThrow(/longer than 200 ms/)
})

it('survives what is no call and no answer', async () => {
  await using _one = await serveRemoteCalls({ ...wire(), handle: async () => 'well' })
  await using caller = await openRemoteCaller(wire())
  const channel = `${route.calls}:${redis.live.options.db}`
  expect(await redis.live.publish(channel, 'no JSON')).toBe(1)
  expect(await redis.live.publish(channel, 'null')).toBe(1)
  expect(await caller.call('any', null)).toBe('well')
})
