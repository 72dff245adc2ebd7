import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createIngestFixture, type IngestFixture } from '../events/ingest/ingest-fixture.ts'
import { startRedis } from '../shared/embedded/redis.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))

let database: TestDatabase
let redis: TestRedis
let fixture: IngestFixture

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  fixture = createIngestFixture(database, redis)
  await redis.ingest.del(redisKeys.deadLetters())
})

/** Runs `npm run ops -- dead-letters …` as npm does, on the servers of the test. */
function run(args: string, env: Record<string, string> = serverEnv()) {
  return new Promise<{ code: number; out: string; err: string }>(resolve => {
    execFile(
      process.execPath,
      [PROGRAM, 'dead-letters', ...args.split(' ')],
      { env: { PATH: process.env.PATH, ...env }, timeout: 30_000 },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

function serverEnv() {
  return { DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl }
}

async function runJson(args: string) {
  const { code, out, err } = await run(`${args} --json`)
  return { code, err, answer: JSON.parse(out) }
}

/** Puts letters into the stream; answers their ids, oldest first. */
async function put(...letters: { reason?: string; v: string }[]): Promise<string[]> {
  const ids: string[] = []
  for (const { reason = 'POISON: test', v } of letters)
    ids.push((await redis.ingest.xadd(redisKeys.deadLetters(), '*', 'reason', reason, 'v', v)) ?? '')
  return ids
}

const item = (message: string) => JSON.stringify(fixture.log(newId(), { message }))

describe('npm run ops -- dead-letters', () => {
  it('brings an item back that could not be written, once the cause is mended', async () => {
    await database.pool.query("ALTER TABLE log ADD CONSTRAINT mistake CHECK (message <> 'refused')")
    const ingest = await fixture.start()
    const [bad, good] = [fixture.log(newId(), { message: 'refused' }), fixture.log(newId())]
    await fixture.append([bad, good])
    const listed = await waitFor(
      async () => {
        const { answer } = await runJson('list')
        return answer.total > 0 && answer
      },
      { deadlineMs: 40_000 },
    )
    const [letter] = listed.letters
    expect(letter).toMatchObject({
      reason: expect.stringContaining('mistake'),
      kind: 'log',
      deviceId: bad.deviceId,
      spaceId: fixture.spaceId,
    })
    expect((await run(`show ${letter.id}`)).out).toContain('"message": "refused"')

    const early = await runJson(`replay ${letter.id}`)
    expect(early).toMatchObject({ code: 0, answer: { replayed: 1 } })
    const again = await waitFor(async () => (await runJson('list')).answer.letters[0]?.id, {
      deadlineMs: 40_000,
    })
    expect(again).not.toBe(letter.id)

    await database.pool.query('ALTER TABLE log DROP CONSTRAINT mistake')
    expect(await run('replay --all')).toMatchObject({ code: 0, out: '1 replayed\n' })
    await waitFor(async () => (await fixture.rows()).length === 2, { deadlineMs: 40_000 })
    expect((await fixture.rows()).map(row => row.id).sort()).toEqual([bad.id, good.id].sort())
    expect(await fixture.deadLetters()).toEqual([])
    await ingest[Symbol.asyncDispose]()
  })

  it('lists in pages, newest first', async () => {
    const ids = await put(...Array.from({ length: 5 }, (_, i) => ({ v: item(`item ${i}`) })))
    const first = (await runJson('list --limit 2')).answer
    expect(first).toMatchObject({ total: 5, next: ids[3] })
    const rest = (await runJson(`list --limit 3 --before ${first.next}`)).answer
    expect(rest.next).toBeNull()
    const idsOf = (answer: { letters: { id: string }[] }) => answer.letters.map(({ id }) => id)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids.toReversed())
    const { out } = await run('list --limit 2')
    expect(out.split('\n').slice(0, -1)).toHaveLength(3)
    expect(out).toContain(`2 of 5; older ones: --before ${ids[3]}`)
  })

  it('shows what is no item, without its control characters', async () => {
    const [id = ''] = await put({ reason: 'MALFORMED: in 1-0', v: 'no\u001b[31m JSON\u009b' })
    const { code, out } = await run(`show ${id}`)
    expect(code).toBe(0)
    expect(out).toContain('no\\u001b[31m JSON\\u009b')
    expect((await runJson(`show ${id}`)).answer).toMatchObject({
      item: null,
      text: 'no\u001b[31m JSON\u009b',
    })
  })

  it('replays each letter once, however many do so at once', async () => {
    const ids = await put(...Array.from({ length: 30 }, (_, i) => ({ v: item(`item ${i}`) })))
    const before = await logLength()
    const answers = await Promise.all([runJson('replay --all'), runJson('replay --all')])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    expect(answers.reduce((sum, { answer }) => sum + answer.replayed, 0)).toBe(30)
    expect((await logLength()) - before).toBe(30)
    expect(await run(`replay ${ids[0]}`)).toMatchObject({
      code: 1,
      out: '0 replayed\n',
      err: `There is no dead letter ${ids[0]}.\n`,
    })
  })

  it('leaves what cannot be replayed, and replays the rest', async () => {
    const [bad = ''] = await put({ v: 'no JSON' }, { v: item('good') })
    const { code, answer, err } = await runJson('replay --all')
    expect({ code, answer }).toEqual({ code: 1, answer: { replayed: 1, missing: [], notAnItem: [bad] } })
    expect(err).toContain(`${bad} is no item with a device`)
    expect((await runJson('list')).answer.letters).toMatchObject([{ id: bad }])
  })

  it('keeps a letter that the ingest log does not take', async () => {
    const [id = ''] = await put({ v: item('kept') })
    const keys = Array.from({ length: 8 }, (_, shard) => redisKeys.ingestLog(shard))
    await redis.ingest.del(...keys)
    for (const key of keys) await redis.ingest.set(key, 'no stream')
    const { code, err } = await run(`replay ${id}`)
    await redis.ingest.del(...keys)
    expect(code).toBe(1)
    expect(err).toContain('WRONGTYPE')
    expect((await runJson('list')).answer.total).toBe(1)
  })

  it('drops those named, or all', async () => {
    const [id = ''] = await put({ v: item('a') }, { v: item('b') }, { v: 'c' })
    expect(await run(`drop ${id}`)).toMatchObject({ code: 0, out: '1 dropped\n' })
    expect(await run(`drop ${id}`)).toMatchObject({ code: 1, out: '0 dropped\n' })
    expect(await runJson('drop --all')).toMatchObject({ code: 0, answer: { dropped: 2, missing: [] } })
    expect(await fixture.deadLetters()).toEqual([])
  })

  it.each([
    'turn',
    'list 1-0',
    'list --limit 0',
    'list --limit 1001',
    'list --all',
    'list --before x',
    'show',
    'show 1-0 2-0',
    'replay',
    'replay 1-0 --all',
    'drop --everything',
    'drop *',
  ])('does not understand %s', async args => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain('npm run ops -- dead-letters list')
  })

  it('fails when Redis does not answer', async () => {
    const { code, err } = await run('list', { ...serverEnv(), REDIS_INGEST_URL: 'redis://127.0.0.1:1' })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('does not answer') })
  })

  it.each(['', 'x'.repeat(100)])(
    'finds the embedded Redis of a running product in NUVION_DATA%s',
    async deep => {
      const base = await mkdtemp(join(tmpdir(), 'nuvion-ops-'))
      const dataDir = join(base, deep)
      await mkdir(dataDir, { recursive: true })
      expect(await run('list', { NUVION_DATA: dataDir })).toMatchObject({
        code: 1,
        err: expect.stringContaining(`Nothing runs on ${dataDir}`),
      })
      const server = await startRedis({
        dataDir: join(dataDir, 'redis-ingest'),
        name: 'ingest',
        appendfsync: 'always',
      })
      expect(await run('list', { NUVION_DATA: dataDir })).toMatchObject({ code: 0, out: '0 of 0\n' })
      await server.close()
      await rm(base, { recursive: true, force: true })
    },
  )
})

/** Entries of all shards. */
async function logLength(): Promise<number> {
  const lengths = await Promise.all(
    Array.from({ length: 8 }, (_, shard) => redis.ingest.xlen(redisKeys.ingestLog(shard))),
  )
  return lengths.reduce((sum, length) => sum + length)
}
