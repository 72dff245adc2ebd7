import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormattedExecutionResult } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway, testToken } from '../testing/start-test-gateway.ts'
import { readPersistedDocuments } from './persisted-documents-file.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const persistedQuery = (sha256Hash: unknown) => ({ persistedQuery: { version: 1, sha256Hash } })

/** Sends a Subscribe as a client with ids does, and answers what came first. */
function subscribe(gateway: TestGateway, payload: object, authorization?: string): Promise<unknown> {
  const client = gateway.connect({ authorization })
  return new Promise(resolve => {
    client.subscribe(
      { query: '', ...payload },
      {
        next: result => resolve(result as FormattedExecutionResult),
        error: resolve,
        complete: () => resolve('complete'),
      },
    )
  })
}

const NOT_FOUND = { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }
const badId = (message: string) => ({ message, extensions: { code: 'BAD_USER_INPUT' } })
const NOT_LISTED = {
  message: 'Only the listed documents run here: send the id of one.',
  extensions: { code: 'FORBIDDEN', limit: 'persistedDocuments' },
}

describe('automatically persisted queries', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({ shape: 'in-process', limits: { maxKeptDocuments: 3 } })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test('are unknown at first, known once their text was sent, by POST, GET and WebSocket', async () => {
    const query = '{ first: whoAmI }'
    const data = { first: null }
    const extensions = persistedQuery(sha256(query))
    const unknown = await gateway.post({ extensions })
    expect(unknown.status).toBe(200)
    expect(unknown.headers.get('cache-control')).toBe('private, no-cache, must-revalidate')
    expect(unknown.body).toEqual({ errors: [NOT_FOUND] })
    expect((await gateway.post({ query, extensions })).body).toEqual({ data })
    expect((await gateway.post({ extensions })).body).toEqual({ data })
    expect((await gateway.post({ documentId: `sha256:${sha256(query)}` })).body).toEqual({ data })
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions) })
    const got = await fetch(`${gateway.url}?${search}`, { headers: { 'apollo-require-preflight': '1' } })
    expect(await got.json()).toEqual({ data })
    expect(await subscribe(gateway, { extensions })).toEqual({ data })
    expect(await subscribe(gateway, { extensions: { documentId: sha256(query) } })).toEqual({ data })
  })

  test('are registered over a WebSocket too, subscriptions as well', async () => {
    const query = 'subscription { changed: productChanged { id } }'
    const extensions = persistedQuery(sha256(query))
    expect(await subscribe(gateway, { extensions })).toEqual([NOT_FOUND])
    const event = subscribe(gateway, { query, extensions })
    await gateway.fixture.topic.waitForFollowers(1)
    gateway.fixture.topic.push({ id: '1' })
    expect(await event).toEqual({ data: { changed: { id: '1' } } })
    // Someone else, who has a stream of their own.
    const again = subscribe(gateway, { extensions }, `Bearer ${testToken()}`)
    await gateway.fixture.topic.waitForFollowers(2)
    gateway.fixture.topic.push({ id: '2' })
    expect(await again).toEqual({ data: { changed: { id: '2' } } })
  })

  test('that break a limit are never registered', async () => {
    const query = `{ ${'nest { '.repeat(12)} leaf ${'}'.repeat(12)} }`
    const extensions = persistedQuery(sha256(query))
    expect((await gateway.post({ query, extensions })).body.errors[0].extensions.limit).toBe('depth')
    expect((await gateway.post({ extensions })).body).toEqual({ errors: [NOT_FOUND] })
  })

  test('are bounded: those not used for longest are asked for again', async () => {
    const queries = ['a', 'b', 'c', 'd'].map(alias => `{ ${alias}: whoAmI }`)
    for (const query of queries) await gateway.post({ query, extensions: persistedQuery(sha256(query)) })
    const codes = []
    for (const query of queries) {
      const { body } = await gateway.post({ extensions: persistedQuery(sha256(query)) })
      codes.push(body.errors?.[0].extensions.code ?? 'known')
    }
    expect(codes).toEqual(['PERSISTED_QUERY_NOT_FOUND', 'known', 'known', 'known'])
  })

  test.each([
    [
      'another hash than that of the text',
      { query: '{ whoAmI }', extensions: persistedQuery(sha256('{ broken }')) },
      badId('The id of the document is not the SHA-256 of the query.'),
    ],
    [
      'a hash that is none',
      { extensions: persistedQuery('abc') },
      badId('The id of the document is not a SHA-256 of 64 hexadecimal digits.'),
    ],
    [
      'a hash of another type',
      { extensions: persistedQuery({ a: 1 }) },
      badId('The id of the document is not a SHA-256 of 64 hexadecimal digits.'),
    ],
    [
      'another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: sha256('') } } },
      badId('Of extensions.persistedQuery only version 1 is known.'),
    ],
    [
      'no object',
      { extensions: { persistedQuery: 'abc' } },
      badId('extensions.persistedQuery is not { version: 1, sha256Hash }.'),
    ],
    ['a documentId that is no string', { documentId: 7 }, badId('documentId is not a string.')],
  ])('with %s are 400', async (_, request, error) => {
    const { status, body } = await gateway.post(request)
    expect(body).toEqual({ errors: [error] })
    expect(status).toBe(400)
    expect(await subscribe(gateway, request)).toEqual([error])
  })

  test('an empty query over a WebSocket is an error message', async () => {
    expect(await subscribe(gateway, {})).toEqual([badId('There is no query.')])
  })
})

describe('when only listed documents run', () => {
  const WHO = 'query Who { whoAmI }'
  const CHANGED = 'subscription Changed { productChanged { id } }'
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway({
      shape: 'in-process',
      persistedDocuments: new Map([
        [sha256(WHO), WHO],
        ['changed-v1', CHANGED],
      ]),
    })
  })

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
  })

  test('they run by their id, over HTTP and WebSocket', async () => {
    const data = { whoAmI: null }
    const extensions = persistedQuery(sha256(WHO))
    expect((await gateway.post({ extensions })).body).toEqual({ data })
    expect((await gateway.post({ documentId: sha256(WHO) })).body).toEqual({ data })
    expect((await gateway.post({ documentId: `sha256:${sha256(WHO)}` })).body).toEqual({ data })
    expect((await gateway.post({ query: WHO })).body).toEqual({ data })
    expect((await gateway.post({ query: WHO, extensions })).body).toEqual({ data })
    expect(await subscribe(gateway, { extensions })).toEqual({ data })
    const event = subscribe(gateway, { extensions: { documentId: 'changed-v1' } })
    await gateway.fixture.topic.waitForFollowers(1)
    gateway.fixture.topic.push({ id: '1' })
    expect(await event).toEqual({ data: { productChanged: { id: '1' } } })
  })

  test.each([
    ['another text', { query: '{ whoAmI }' }],
    ['a listed text with another operation', { query: `${WHO} query More { broken }` }],
    ['an unknown id', { extensions: persistedQuery(sha256('{ broken }')) }],
    [
      'another text that is registered',
      { query: '{ broken }', extensions: persistedQuery(sha256('{ broken }')) },
    ],
    ['another text with a listed id', { query: '{ broken }', extensions: persistedQuery(sha256(WHO)) }],
    ['a listed text with another id', { query: WHO, documentId: 'constructor' }],
    ['introspection', { query: '{ __schema { types { name } } }' }],
    ['no GraphQL', { query: '{' }],
  ])('%s is 403, and an error message', async (_, request) => {
    const { status, body } = await gateway.post(request)
    expect(body).toEqual({ errors: [NOT_LISTED] })
    expect(status).toBe(403)
    expect(await subscribe(gateway, request)).toEqual([NOT_LISTED])
  })

  test('a batch is refused as one', async () => {
    const { status, body } = await gateway.post([{ documentId: sha256(WHO) }])
    expect(status).toBe(400)
    expect(body.errors[0].extensions.limit).toBe('batch')
  })
})

describe('the file of documents', () => {
  let dir: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'nuvion-documents-'))
  })

  afterAll(async () => {
    await rm(dir, { recursive: true, force: true })
  })

  async function read(content: unknown) {
    const path = join(dir, 'documents.json')
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return await readPersistedDocuments(path)
  }

  test('is an object by id, or a list whose ids are the SHA-256', async () => {
    expect(await read({ who: '{ whoAmI }' })).toEqual(new Map([['who', '{ whoAmI }']]))
    expect(await read(['{ whoAmI }'])).toEqual(new Map([[sha256('{ whoAmI }'), '{ whoAmI }']]))
  })

  test('is refused when it is something else, by the name of what is wrong', async () => {
    await expect(read('{')).rejects.toThrow(SyntaxError)
    await expect(read('"text"')).rejects.toThrow(/neither a JSON object/)
    await expect(read({ a: 1 })).rejects.toThrow(/neither a JSON object/)
    await expect(read({ a: '{ whoAmI }', b: '{', c: '}' })).rejects.toThrow(
      /^b: Syntax Error.*\n {2}c: Syntax/,
    )
    await expect(readPersistedDocuments(join(dir, 'missing'))).rejects.toThrow('ENOENT')
  })
})
