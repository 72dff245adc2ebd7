import { expect, it } from 'vitest'
import { createLivePublisher } from '../shared/live-topic/live-publisher.ts'
import { createLogger } from '../shared/logger.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createRevocations } from './revocations.ts'

it('roles are forgotten here even when nobody can be told, and the mutation goes on', async () => {
  const { live, ...redis } = await openTestRedis()
  await redis[Symbol.asyncDispose]()
  const forgotten: unknown[] = []
  const revocations = createRevocations({
    publisher: createLivePublisher({ redis: live, deadlineMs: 100 }),
    access: { flush: (...key) => forgotten.push(key) },
    logger: createLogger({ level: 'silent', role: 'test' }),
  })
  const [userId, spaceId] = [newId(), newId()]
  await revocations.publish(
    { kind: 'membership-changed', userId, spaceId },
    { kind: 'space-changed', spaceId },
    { kind: 'sessions-ended', userId },
  )
  expect(forgotten).toEqual([
    [userId, spaceId],
    [undefined, spaceId],
  ])
})
