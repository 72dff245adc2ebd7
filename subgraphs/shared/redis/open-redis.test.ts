import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '../embedded/redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { openRedis } from './open-redis.ts'
import { parseRedisUrl, withRedisDatabase } from './redis-address.ts'

let dir: string
let server: RedisServer

const start = () => startRedis({ dataDir: join(dir, 'own'), name: 'own', appendfsync: 'everysec' })

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'nv-'))
  server = await start()
})

afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('a Redis URL', () => {
  it('names a host, a unix socket or a bare path, with its database', () => {
    expect(parseRedisUrl('redis://u:p%40@cache.example:6380/3')).toEqual({
      host: 'cache.example',
      port: 6380,
      db: 3,
      username: 'u',
      password: 'p@',
    })
    expect(parseRedisUrl('rediss://cache.example')).toMatchObject({ port: 6379, db: 0, tls: {} })
    expect(parseRedisUrl('unix:///tmp/a%20b/live.sock?db=5')).toEqual({ path: '/tmp/a b/live.sock', db: 5 })
    expect(parseRedisUrl('/tmp/live.sock')).toEqual({ path: '/tmp/live.sock', db: 0 })
    expect(parseRedisUrl(withRedisDatabase('redis://h:1/0', 7))).toMatchObject({ host: 'h', port: 1, db: 7 })
    expect(parseRedisUrl(withRedisDatabase('/tmp/a b.sock', 7))).toEqual({ path: '/tmp/a b.sock', db: 7 })
  })

  it('is refused when it is of another kind or its database is no number', () => {
    expect(() => parseRedisUrl('http://host')).toThrow('looks like redis://')
    expect(() => parseRedisUrl('redis://host/first')).toThrow('not a number')
  })
})

describe('an open Redis connection', () => {
  it('shows its round trips: single commands one by one, a pipeline and a MULTI whole', async () => {
    const seen: (readonly string[])[] = []
    await using client = openRedis({
      url: `${server.url}?db=1`,
      name: 'test',
      onRoundTrip: names => seen.push(names),
    })
    const { redis } = client
    await Promise.all([redis.set('a', 1), redis.get('a')])
    await redis.pipeline().get('a').set('b', 2).exec()
    await redis.multi().incr('a').incr('b').exec()
    await Promise.all([redis.pipeline().get('a').exec(), redis.pipeline().get('b').get('a').exec()])
    expect(seen).toEqual([
      ['set'],
      ['get'],
      ['get', 'set'],
      ['multi', 'incr', 'incr', 'exec'],
      ['get'],
      ['get', 'get'],
    ])
  })

  it('counts nothing for connecting, and a command once that was called before it was connected', async () => {
    const seen: (readonly string[])[] = []
    await using client = openRedis({
      url: `${server.url}?db=1`,
      name: 'test',
      onRoundTrip: names => seen.push(names),
    })
    await Promise.all([client.redis.ping(), client.redis.pipeline().ping().ping().exec()])
    expect(seen).toEqual([['ping'], ['ping', 'ping']])
  })

  it('rejects at once what was in flight when the server died, never sends it again, and reconnects', async () => {
    const errors: Error[] = []
    await using client = openRedis({ url: server.url, name: 'test', onError: error => errors.push(error) })
    await client.redis.set('n', 0)
    process.kill(server.pid, 'SIGSTOP')
    const inFlight = Promise.allSettled([
      client.redis.incr('n'),
      client.redis.pipeline().incr('n').incr('n').exec(),
    ])
    process.kill(server.pid, 'SIGKILL')
    const [single, pipeline] = await inFlight
    expect(single.status).toBe('rejected')
    const failure = [expect.objectContaining({ name: 'MaxRetriesPerRequestError' })]
    expect(pipeline).toEqual({ status: 'fulfilled', value: [failure, failure] })
    await server.close()
    await expect(client.redis.incr('n')).rejects.toMatchObject({ name: 'MaxRetriesPerRequestError' })
    expect(errors.length).toBeGreaterThan(0)
    server = await start()
    await waitFor(() => client.redis.ping())
    expect(await client.redis.get('n')).toBe('0')
  })

  it('closes at once while it is trying to reconnect, and settles what waited for that', async () => {
    const client = openRedis({ url: `unix://${join(dir, 'nobody.sock')}`, name: 'test' })
    await new Promise(resolve => client.redis.once('reconnecting', resolve))
    const waiting = expect(client.redis.ping()).rejects.toThrow('Connection is closed')
    await client[Symbol.asyncDispose]()
    await waiting
    await expect(client.redis.ping()).rejects.toThrow('Connection is closed')
  })

  it('gives up on a server that hangs and dials it again when it is back', async () => {
    await using client = openRedis({ url: server.url, name: 'test', commandTimeoutMs: 100 })
    await client.redis.set('n', 1)
    process.kill(server.pid, 'SIGSTOP')
    try {
      await expect(client.redis.get('n')).rejects.toThrow()
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    expect(await waitFor(() => client.redis.get('n'))).toBe('1')
  })

  it('lets a waiting connection wait longer than the deadline of other commands, and drops a dead server', async () => {
    const options = { url: server.url, name: 'test', commandTimeoutMs: 100, maxBlockMs: 300 }
    await using client = openRedis(options)
    await client.redis.ping()
    expect(await client.redis.xread('BLOCK', 250, 'STREAMS', 'nothing', '$')).toBeNull()
    process.kill(server.pid, 'SIGSTOP')
    try {
      await expect(client.redis.xread('BLOCK', 250, 'STREAMS', 'nothing', '$')).rejects.toThrow()
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
  })

  it('refuses a command beyond its bound of pending ones', async () => {
    await using client = openRedis({ url: server.url, name: 'test', maxPending: 2 })
    const results = await Promise.allSettled([client.redis.ping(), client.redis.ping(), client.redis.ping()])
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(await client.redis.ping()).toBe('PONG')
  })
})
