import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { type IngestItem, type LogItem, SHARD_COUNT, shardOf } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { startRedis } from '../../subgraphs/shared/embedded/redis.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { createIngestAppender, INGEST_APPENDER_LIMITS, type IngestAppenderLimits } from './ingest-appender.ts'

const logger = createLogger({ level: 'silent', role: 'test' })

function openAppender(redis: Redis, limits: Partial<IngestAppenderLimits> = {}, replicas = 0) {
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const appender = createIngestAppender({
    ...{ redis, logger, metrics, replicas },
    limits: { ...INGEST_APPENDER_LIMITS, ...limits },
  })
  return { ...appender, metrics, [Symbol.asyncDispose]: () => appender[Symbol.asyncDispose]() }
}

const log = (deviceId: string, message: string): LogItem => ({
  ...{ kind: 'log', id: newId(), spaceId: 'space', deviceId, receivedAt: 1, level: 'INFO', message },
  clockReplaced: false,
})

/** What the log holds of each device, and how many entries each shard has. */
async function readLog(redis: Redis) {
  const messages = new Map<string, string[]>()
  const entries: number[] = []
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    const stream = await redis.xrange(redisKeys.ingestLog(shard), '-', '+')
    entries.push(stream.length)
    for (const [, [field, value]] of stream) {
      expect(field).toBe('v')
      for (const item of JSON.parse(value ?? '') as IngestItem[]) {
        expect(shardOf(item.deviceId)).toBe(shard)
        const of = messages.get(item.deviceId) ?? []
        messages.set(item.deviceId, of)
        if (item.kind === 'log') of.push(item.message)
      }
    }
  }
  return { messages, entries }
}

const devices = Array.from({ length: 12 }, (_, i) => `device-${i}`)

/** Two devices of different shards. */
function twoShards(): [string, string] {
  const [first = ''] = devices
  const other = devices.find(device => shardOf(device) !== shardOf(first)) ?? ''
  return [first, other]
}

describe('the ingest appender', () => {
  it('makes one round trip of the calls of a tick, with one entry per shard', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest)
    await Promise.all(
      devices.flatMap(device => [1, 2, 3].map(n => appender.append([log(device, String(n))]))),
    )
    expect(redis.roundTrips.ingest).toHaveLength(1)
    const shards = new Set(devices.map(shardOf))
    expect(redis.roundTrips.ingest[0]).toEqual(['multi', ...Array(shards.size).fill('xadd'), 'exec'])
    const { messages, entries } = await readLog(redis.ingest)
    expect(entries.filter(count => count > 0)).toEqual(Array(shards.size).fill(1))
    for (const device of devices) expect(messages.get(device)).toEqual(['1', '2', '3'])
  })

  it('keeps the order of each device across ticks, calls and entries', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest, { maxItemsPerEntry: 7 })
    const calls: Promise<void>[] = []
    for (let n = 0; n < 600; n++) {
      const device = devices[n % 5] ?? ''
      calls.push(appender.append([log(device, `${n}`), log(device, `${n}+`)]))
      if (n % 11 === 0) await new Promise(setImmediate)
    }
    await Promise.all(calls)
    const { messages, entries } = await readLog(redis.ingest)
    for (const [index, device] of devices.slice(0, 5).entries()) {
      const expected = Array.from({ length: 120 }, (_, i) => [`${i * 5 + index}`, `${i * 5 + index}+`]).flat()
      expect(messages.get(device)).toEqual(expected)
    }
    expect(Math.max(...entries)).toBeGreaterThan(7)
  })

  it('closes an entry at 512 KiB', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest)
    const text = 'é'.repeat(100 * 1024)
    await appender.append(Array.from({ length: 9 }, () => log('device', text)))
    const stream = await redis.ingest.xrange(redisKeys.ingestLog(shardOf('device')), '-', '+')
    expect(stream.map(([, [, value]]) => JSON.parse(value ?? '').length)).toEqual([2, 2, 2, 2, 1])
    for (const [, [, value]] of stream) expect(Buffer.byteLength(value ?? '')).toBeLessThanOrEqual(512 * 1024)
  })

  it('rejects the calls of a shard that refused, and takes those of the others', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest)
    const [broken, sound] = twoShards()
    await redis.ingest.set(redisKeys.ingestLog(shardOf(broken)), 'no stream')
    const results = await Promise.allSettled([
      appender.append([log(broken, '1')]),
      appender.append([log(sound, '1')]),
      appender.append([log(sound, '2'), log(broken, '2')]),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    expect(results[0]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
    await redis.ingest.del(redisKeys.ingestLog(shardOf(broken)))
    expect((await readLog(redis.ingest)).messages.get(sound)).toEqual(['1', '2'])
  })

  it('refuses what waits behind a failed append for the same shard: nothing overtakes', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest)
    const [broken, sound] = twoShards()
    const key = redisKeys.ingestLog(shardOf(broken))
    await redis.ingest.set(key, 'no stream')
    const first = appender.append([log(broken, '1')])
    const settled = Promise.allSettled([first])
    // Sent in this very phase of the event loop, in which no answer is read: the first is on its way.
    await new Promise(setImmediate)
    expect(redis.roundTrips.ingest.at(-1)).toContain('xadd')
    // The key is put right behind it, so these would succeed if they were sent.
    const healed = redis.ingest.del(key)
    const behind = Promise.allSettled([
      appender.append([log(broken, '2')]),
      appender.append([log(sound, 'a')]),
    ])
    expect((await settled)[0].status).toBe('rejected')
    expect((await behind).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    await healed
    await appender.append([log(broken, '1')])
    await appender.append([log(broken, '2')])
    expect((await readLog(redis.ingest)).messages.get(broken)).toEqual(['1', '2'])
  })

  it('refuses what comes past its bound, and takes it again when there is room', async () => {
    await using redis = await openTestRedis()
    await using appender = openAppender(redis.ingest, { maxPendingItems: 3 })
    const first = appender.append([log('device', '1'), log('device', '2')])
    await expect(appender.append([log('device', '3'), log('device', '4')])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await first
    await appender.append([log('device', '5'), log('device', '6'), log('device', '7')])
    expect((await readLog(redis.ingest)).messages.get('device')).toEqual(['1', '2', '5', '6', '7'])
    expect(await appender.metrics.metrics()).toContain('nuvion_ingest_append_failures_total{reason="full"')
  })

  it('finishes what it has when it is disposed, and refuses more', async () => {
    await using redis = await openTestRedis()
    const appender = openAppender(redis.ingest)
    const calls = [1, 2, 3].map(n => appender.append([log('device', String(n))]))
    await appender[Symbol.asyncDispose]()
    await Promise.all(calls)
    await expect(appender.append([log('device', '4')])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await readLog(redis.ingest)).messages.get('device')).toEqual(['1', '2', '3'])
  })
})

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port')
  return address.port
}

describe('the ingest appender with a Redis of its own', () => {
  async function startOwnRedis() {
    const dir = mkdtempSync(join(tmpdir(), 'nuvion-appender-'))
    const start = () => startRedis({ dataDir: dir, name: 'ingest', appendfsync: 'always' })
    let server = await start()
    return {
      url: server.url,
      kill: () => process.kill(server.pid, 'SIGKILL'),
      signal: (signal: NodeJS.Signals) => process.kill(server.pid, signal),
      async restart() {
        await server.close()
        server = await start()
      },
      async [Symbol.asyncDispose]() {
        await server.close()
        rmSync(dir, { recursive: true, force: true })
      },
    }
  }

  it('has everything that it acknowledged after kill -9 of Redis, in order', async () => {
    await using server = await startOwnRedis()
    await using client = openRedis({ url: server.url, name: 'test' })
    await using appender = openAppender(client.redis)
    const acknowledged = new Map<string, string[]>()
    let failures = 0
    let sent = 0
    const senders = devices.map(async device => {
      for (let n = 0; failures === 0; n++) {
        try {
          await appender.append([log(device, String(n))])
          acknowledged.set(device, [...(acknowledged.get(device) ?? []), String(n)])
          if (++sent === 3_000) server.kill()
        } catch {
          failures++
        }
      }
    })
    await Promise.all(senders)
    expect(sent).toBeGreaterThanOrEqual(3_000)
    await server.restart()
    await using after = openRedis({ url: server.url, name: 'test' })
    const { messages } = await readLog(after.redis)
    for (const [device, expected] of acknowledged)
      expect(messages.get(device)?.slice(0, expected.length)).toEqual(expected)
  })

  it('waits for as many replicas as asked for, and rejects when they do not come', async () => {
    await using server = await startOwnRedis()
    await using other = await startOwnRedis()
    await using client = openRedis({ url: server.url, name: 'test' })
    await using replica = openRedis({ url: other.url, name: 'test' })
    const port = await findFreePort()
    await client.redis.config('SET', 'repl-diskless-sync-delay', '0')
    await client.redis.config('SET', 'port', String(port))
    await replica.redis.replicaof('127.0.0.1', port)
    await waitFor(async () => (await replica.redis.info('replication')).includes('master_link_status:up'))
    await using appender = openAppender(client.redis, { appendDeadlineMs: 600 }, 1)
    await waitFor(() => appender.append([log('device', '1')]).then(() => true))
    expect((await readLog(replica.redis)).messages.get('device')?.at(-1)).toBe('1')
    other.signal('SIGSTOP')
    const unreplicated = expect(appender.append([log('device', '2')])).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', cause: { message: 'Only 0 of 1 replicas have taken the append' } },
    })
    await unreplicated.finally(() => other.signal('SIGCONT'))
    await appender.append([log('device', '3')])
    expect((await readLog(replica.redis)).messages.get('device')?.slice(-2)).toEqual(['2', '3'])
  })

  it('takes nothing of an append that Redis has no memory for', async () => {
    await using server = await startOwnRedis()
    await using client = openRedis({ url: server.url, name: 'test' })
    await using appender = openAppender(client.redis, { maxItemsPerEntry: 1 })
    await appender.append([log('device', '0')])
    await client.redis.config('SET', 'maxmemory', '1')
    await expect(appender.append([log('device', '1'), log('device', '2')])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await client.redis.config('SET', 'maxmemory', '0')
    await appender.append([log('device', '3')])
    expect((await readLog(client.redis)).messages.get('device')).toEqual(['0', '3'])
  })

  it('rejects at the deadline while Redis hangs, drops the connection, and goes on when it answers again', async () => {
    await using server = await startOwnRedis()
    await using client = openRedis({ url: server.url, name: 'test', commandTimeoutMs: 60_000 })
    await using appender = openAppender(client.redis, { appendDeadlineMs: 100, maxPendingItems: 10 })
    await appender.append([log('device', '0')])
    server.signal('SIGSTOP')
    const dropped = once(client.redis, 'close', { signal: AbortSignal.timeout(5_000) })
    const late = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => appender.append([log('device', `late ${i}`)])),
    )
    await dropped.finally(() => server.signal('SIGCONT'))
    expect(late.map(({ status }) => status)).toEqual(Array(12).fill('rejected'))
    await expect
      .poll(() =>
        appender.append([log('device', 'after')]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    const { messages } = await readLog(client.redis)
    expect(messages.get('device')?.at(0)).toBe('0')
    expect(messages.get('device')?.at(-1)).toBe('after')
  })
})
