import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Config } from '../shared/config.ts'
import { findSocketPath } from '../shared/embedded/socket-path.ts'
import { openRedis } from '../shared/redis/open-redis.ts'
import { type DeadLetterArguments, parseDeadLetterArguments } from './dead-letter-arguments.ts'
import {
  countLetters,
  dropLetters,
  findLetter,
  listLetters,
  listLettersBetween,
  type ReplayOutcome,
  readItem,
  replayLetter,
  type StoredLetter,
} from './dead-letter-stream.ts'
import { describeLetter, printable } from './dead-letter-text.ts'
import type { OpsSite } from './ops-command.ts'

/** Letters of one round trip of `--all`. */
const PAGE_SIZE = 100

/** Characters of a reason in a list. */
const MAX_REASON_LENGTH = 120

/**
 * `dead-letters list | show | replay | drop`: what ingest could not write, in the Redis of the ingest log. Rejects when
 * something that was named is not there or cannot be replayed; the others of the command are done all the same.
 */
export async function runDeadLettersCommand(args: readonly string[], site: OpsSite): Promise<void> {
  const wanted = parseDeadLetterArguments(args)
  await using client = openRedis({ url: findIngestRedis(site.config), name: 'ops' })
  const { redis } = client
  await redis.ping().catch(cause => {
    throw new Error('The Redis of the ingest log does not answer.', { cause })
  })
  const { answer, lines, failure } = await act(redis, wanted)
  for (const line of wanted.isJson ? [JSON.stringify(answer)] : lines) site.print(line)
  if (failure !== null) throw new Error(failure)
}

interface Outcome {
  readonly answer: unknown
  readonly lines: readonly string[]
  readonly failure: string | null
}

async function act(redis: Redis, wanted: DeadLetterArguments): Promise<Outcome> {
  switch (wanted.action) {
    case 'list':
      return await list(redis, wanted)
    case 'show':
      return await show(redis, wanted.id)
    case 'replay':
      return await replay(redis, wanted.ids)
    case 'drop':
      return await drop(redis, wanted.ids)
  }
}

async function list(redis: Redis, { before, limit }: { before: string | null; limit: number }) {
  const [total, found] = await Promise.all([
    countLetters(redis),
    listLetters(redis, { before, limit: limit + 1 }),
  ])
  const letters = found.slice(0, limit)
  const next = found.length > limit ? (letters.at(-1)?.id ?? null) : null
  return {
    answer: { total, next, letters: letters.map(describeLetter) },
    lines: [
      ...letters.map(describeLetter).map(({ id, at, reason, kind, deviceId }) => {
        const what = `${kind ?? 'no item'}  ${deviceId ?? '-'}`
        return printable(`${id}  ${at}  ${what}  ${reason.slice(0, MAX_REASON_LENGTH)}`)
      }),
      `${letters.length} of ${total}${next === null ? '' : `; older ones: --before ${next}`}`,
    ],
    failure: null,
  }
}

async function show(redis: Redis, id: string): Promise<Outcome> {
  const letter = await findLetter(redis, id)
  if (letter === null) return { answer: null, lines: [], failure: `There is no dead letter ${id}.` }
  const item = readItem(letter.text)
  const { at, reason } = describeLetter(letter)
  return {
    answer: { ...describeLetter(letter), item, text: item === null ? letter.text : undefined },
    lines: [
      ...[`id      ${id}`, `at      ${at}`, printable(`reason  ${reason}`)],
      ...(item === null ? [letter.text] : JSON.stringify(item, null, 2).split('\n')).map(printable),
    ],
    failure: null,
  }
}

async function replay(redis: Redis, ids: readonly string[] | 'all'): Promise<Outcome> {
  const found: Record<ReplayOutcome, string[]> = { replayed: [], missing: [], 'not an item': [] }
  let total = 0
  for await (const [id, letter] of lettersOf(redis, ids)) {
    const outcome = letter === null ? 'missing' : await replayLetter(redis, letter)
    if (outcome === 'replayed') total++
    // Of all only what is left is named: there may be any number of the others.
    if (ids !== 'all' || outcome !== 'replayed') found[outcome].push(id)
  }
  const missing = ids === 'all' ? [] : found.missing
  const refused = found['not an item']
  return {
    answer: { replayed: total, missing, notAnItem: refused },
    lines: [`${total} replayed`],
    failure:
      missing.length + refused.length === 0
        ? null
        : [
            ...missing.map(id => `There is no dead letter ${id}.`),
            ...refused.map(
              id => `${id} is no item with a device, so it cannot be replayed: see it, then drop it.`,
            ),
          ].join('\n'),
  }
}

async function drop(redis: Redis, ids: readonly string[] | 'all'): Promise<Outcome> {
  let dropped = 0
  const missing: string[] = []
  for await (const [id] of lettersOf(redis, ids)) {
    const count = await dropLetters(redis, [id])
    dropped += count
    if (count === 0 && ids !== 'all') missing.push(id)
  }
  return {
    answer: { dropped, missing },
    lines: [`${dropped} dropped`],
    failure: missing.length === 0 ? null : missing.map(id => `There is no dead letter ${id}.`).join('\n'),
  }
}

/** The named letters; or all that there are now, oldest first: what fails again while this goes on is not among them. */
async function* lettersOf(
  redis: Redis,
  ids: readonly string[] | 'all',
): AsyncGenerator<[id: string, letter: StoredLetter | null]> {
  if (ids !== 'all') {
    for (const id of ids) yield [id, await findLetter(redis, id)]
    return
  }
  const [newest] = await listLetters(redis, { before: null, limit: 1 })
  if (newest === undefined) return
  for (let after = '0-0'; ; ) {
    const letters = await listLettersBetween(redis, { after, last: newest.id, limit: PAGE_SIZE })
    for (const letter of letters) yield [letter.id, letter]
    const last = letters.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Address of the Redis that has the ingest log: the configured one, else the embedded one of a running product. */
function findIngestRedis({ isEmbedded, redisIngestUrl, dataDir }: Config): string {
  if (!isEmbedded && redisIngestUrl !== null) return redisIngestUrl
  const path = findSocketPath(join(dataDir, 'redis-ingest'), 'ingest')
  if (path === null) {
    throw new Error(
      `Nothing runs on ${dataDir}: start the product, set NUVION_DATA to its folder, or set DATABASE_URL, REDIS_URL and REDIS_INGEST_URL as for the ingest role.`,
    )
  }
  return `unix://${encodeURI(path)}`
}
