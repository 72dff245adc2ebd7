import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asUser, type EventsFixture, makeAnomaly, openEventsFixture } from './events-fixture.ts'

const mutation = (name: string, type: string) => `mutation ($input: ${type}Input!) { ${name}(input: $input) {
  comment { id body kind step editedAt author { id } } userErrors { code message field }
} }`
const COMMENT = mutation('commentOnAnomaly', 'CommentOnAnomaly')
const EDIT = mutation('editComment', 'EditComment')
const DELETE = mutation('deleteComment', 'DeleteComment')
const PAGE = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { anomaly(id: $id) {
  comments(first: $first, after: $after, last: $last, before: $before) {
    nodes { body } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
  }
} }`

let database: TestDatabase
let redis: TestRedis
let events: EventsFixture
let spaceId: string
let viewer: Viewer
let [kim, lee, ada] = [] as unknown as UserViewer[]
let anomalyId: string

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  const space = await events.createSpace(1)
  spaceId = space.spaceId
  viewer = space.member
  kim = await events.addMember(spaceId, 'OPERATOR', 'Kim')
  lee = await events.addMember(spaceId, 'OPERATOR', 'Lee')
  ada = await events.addMember(spaceId, 'ADMIN', 'Ada')
  const anomaly = makeAnomaly({ spaceId, deviceId: space.deviceIds[0] ?? '', type: 'HEAT' }, Date.now())
  anomalyId = anomaly.id
  await events.insertAnomalies([anomaly])
})

async function send(who: Viewer | null | undefined, source: string, input: object) {
  const { data, errors } = await events.run(who ?? null, source, { input })
  // biome-ignore lint/suspicious/noExplicitAny: the payload of whichever mutation it was
  return errors.length > 0 ? errors : (Object.values(data as object)[0] as any)
}

it('a comment is added, changed and deleted by who wrote it, and each is told live', async () => {
  const stream = await events.follow(
    viewer,
    'subscription ($spaceId: ID!) { anomalyUpdated(spaceId: $spaceId) { id comments { nodes { body } } } }',
    { spaceId },
  )
  const heard = async () => (await stream.next()).value.data.anomalyUpdated.comments.nodes
  const { comment } = await send(kim, COMMENT, { anomalyId, body: '  Cafe\u0301 <b>\r\n온도 🔥 ' })
  expect(comment).toMatchObject({ body: 'Caf\u00e9 <b>\n온도 🔥', kind: 'USER', step: null, editedAt: null })
  expect(comment.author).toEqual({ id: kim?.userId })
  expect(await heard()).toEqual([{ body: comment.body }])
  const edited = await send(kim, EDIT, { commentId: comment.id, body: 'Better.' })
  expect(edited.comment).toMatchObject({ id: comment.id, body: 'Better.', editedAt: expect.any(String) })
  const deleted = await send(kim, DELETE, { commentId: comment.id })
  expect(deleted.comment).toMatchObject({ id: comment.id, body: 'Better.' })
  const gone = await send(kim, DELETE, { commentId: comment.id })
  expect(gone.userErrors).toEqual([
    { code: 'NOT_FOUND', message: 'There is no such comment.', field: 'commentId' },
  ])
  await stream.return?.()
})

it('a comment of others is for admins to delete and for nobody to change; a SYSTEM one for nobody', async () => {
  const { comment } = await send(kim, COMMENT, { anomalyId, body: 'Mine.' })
  const about = { commentId: comment.id, body: 'Yours.' }
  for (const who of [lee, ada])
    expect(await send(who, EDIT, about)).toEqual([
      'FORBIDDEN Only those who have written a comment change it.',
    ])
  expect(await send(lee, DELETE, { commentId: comment.id })).toEqual(['FORBIDDEN This needs the role ADMIN.'])
  for (const stranger of [asUser(newId()), (await events.createSpace(0)).member]) {
    expect((await send(stranger, EDIT, about)).userErrors[0].code).toBe('NOT_FOUND')
    expect((await send(stranger, DELETE, { commentId: comment.id })).userErrors[0].code).toBe('NOT_FOUND')
    expect((await send(stranger, COMMENT, { anomalyId, body: 'x' })).userErrors[0].code).toBe('NOT_FOUND')
  }
  expect(await send(viewer, COMMENT, { anomalyId, body: 'x' })).toEqual([
    'FORBIDDEN This needs the role OPERATOR.',
  ])
  expect(await send(null, COMMENT, { anomalyId, body: 'x' })).toEqual(['UNAUTHENTICATED Sign in first.'])
  expect((await send(ada, DELETE, { commentId: comment.id })).comment.id).toBe(comment.id)

  const systemId = newId()
  await database.pool.query(
    `INSERT INTO anomaly_comment (id, anomaly_id, space_id, kind, step, author_id, body, created_at) VALUES ?`,
    [[[systemId, anomalyId, spaceId, 'SYSTEM', 'RESOLVED', ada?.userId, 'Resolved.', new Date()]]],
  )
  for (const source of [EDIT, DELETE])
    expect(await send(ada, source, { commentId: systemId, ...(source === EDIT && { body: 'x' }) })).toEqual([
      'FORBIDDEN What the steps of an anomaly have left stays as it is.',
    ])
})

it('a body that cannot be is refused', async () => {
  for (const body of [
    '',
    '\u200b',
    ' \n',
    'a\0',
    '\u2066x',
    '\udc00',
    'é'.repeat(2_049),
    'x'.repeat(100_000),
  ]) {
    const { comment, userErrors } = await send(kim, COMMENT, { anomalyId, body })
    expect([comment, userErrors[0].code, userErrors[0].field]).toEqual([null, 'BAD_USER_INPUT', 'body'])
  }
  for (const commentId of ['', 'x', "'; --", 'é'.repeat(10_000)])
    expect((await send(kim, DELETE, { commentId })).userErrors[0].code).toBe('NOT_FOUND')
})

it('comments are walked from the oldest on, and back from the newest', async () => {
  for (let i = 0; i < 5; i++) await send(kim, COMMENT, { anomalyId, body: `${i}` })
  const read = async (args: object) => {
    const { data, errors } = await events.run(viewer, PAGE, { id: anomalyId, ...args })
    expect(errors).toEqual([])
    return data.anomaly.comments
  }
  const bodies = (page: { nodes: { body: string }[] }) => page.nodes.map(({ body }) => body).join('')
  const first = await read({ first: 2 })
  expect([bodies(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual(['01', 5, true])
  expect(bodies(await read({ first: 3, after: first.pageInfo.endCursor }))).toBe('234')
  const last = await read({ last: 2 })
  expect([bodies(last), last.pageInfo.hasPreviousPage]).toEqual(['34', true])
  expect(bodies(await read({ last: 9, before: last.pageInfo.startCursor }))).toBe('012')
  for (const args of [{ first: 101 }, { first: -1 }, { after: 'x' }, { first: 1, last: 1 }])
    expect((await events.run(viewer, PAGE, { id: anomalyId, ...args })).errors[0]).toMatch(/^BAD_USER_INPUT/)
})
