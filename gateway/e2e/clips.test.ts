import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { anomaly, clip } from '../../schema/mysql/anomaly-tables.ts'
import { anomalyOccurrence } from '../../schema/mysql/ingest-tables.ts'
import { makeContent } from '../../subgraphs/events/clips/clip-fixture.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { graphqlRequest } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { connectStompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { addFactory, addPerson, addSession, type Factory } from './testing/factory-world.ts'
import { startWholeProduct, type WholeProduct } from './testing/whole-product.ts'

const MP4 = makeContent('video/mp4')
let product: WholeProduct
let factory: Factory
let other: Factory
beforeAll(async () => {
  product = await startWholeProduct()
  factory = await addFactory(product, 'Press', await addPerson(product, 'Guest'))
  other = await addFactory(product, 'Other', await addPerson(product, 'Other guest'))
}, 60_000)
afterAll(() => product[Symbol.asyncDispose](), 60_000)

const tokenOf = async ({ ids: { deviceId, spaceId } }: Factory) =>
  (await product.signer.signDevice({ deviceId, spaceId })).token

const REQUEST = `mutation ($input: RequestClipUploadInput!) { it: requestClipUpload(input: $input) {
  uploadUrl headers clip { id status url urlExpiresAt posterUrl } userErrors { code field } } }`
const COMPLETE = `mutation ($input: CompleteClipUploadInput!) { it: completeClipUpload(input: $input) {
  clip { id status url urlExpiresAt sizeBytes createdAt } userErrors { code field } } }`

// biome-ignore lint/suspicious/noExplicitAny: answers have the shape that the test asked for
async function ask(query: string, input: unknown, of = factory): Promise<any> {
  const variables = { input }
  const answer = await graphqlRequest<{ it: unknown }>(product.url, query, {
    token: await tokenOf(of),
    variables,
  })
  expect(answer.errors).toBeUndefined()
  return answer.data?.it
}

const wish = (more = {}) => ({
  ...{ eventId: newId(), contentType: 'video/mp4', sizeBytes: MP4.length },
  ...more,
})
const put = async (url: string, headers: Record<string, string>, body = MP4) =>
  (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status

describe('a clip of a device', () => {
  it('is uploaded by a link of the product itself and read by another', async () => {
    const { uploadUrl, headers, clip } = await ask(REQUEST, wish())
    expect(uploadUrl.startsWith(`${product.url}/clips/`)).toBe(true)
    expect(clip).toMatchObject({ status: 'PENDING', url: null, urlExpiresAt: null, posterUrl: null })
    expect(await ask(COMPLETE, { clipId: clip.id })).toMatchObject({
      clip: null,
      userErrors: [{ code: 'CONFLICT' }],
    })
    expect(await put(uploadUrl, headers)).toBe(204)
    const { clip: ready } = await ask(COMPLETE, { clipId: clip.id })
    expect(ready).toMatchObject({ id: clip.id, status: 'READY', sizeBytes: MP4.length })
    const lifeMs = Date.parse(ready.urlExpiresAt) - Date.now()
    expect(lifeMs).toBeGreaterThan(60_000)
    expect(lifeMs).toBeLessThanOrEqual(5 * 60_000)
    const part = await fetch(ready.url, { headers: { range: 'bytes=4-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
    expect((await ask(COMPLETE, { clipId: clip.id })).clip.url).toBe(ready.url)
  })

  it('is refused when it is longer, shorter or of another type than announced', async () => {
    const { uploadUrl, headers } = await ask(REQUEST, wish())
    const { 'content-length': _, ...bare } = headers
    expect(await put(uploadUrl, bare, Buffer.concat([MP4, MP4]))).toBe(413)
    expect(await put(uploadUrl, bare, MP4.subarray(1))).toBe(400)
    expect(await put(uploadUrl, { 'content-type': 'text/html' })).toBe(415)
    expect(await ask(REQUEST, wish({ contentType: 'text/html' }))).toMatchObject({
      uploadUrl: null,
      userErrors: [{ code: 'BAD_USER_INPUT', field: 'contentType' }],
    })
  })

  it('is deleted when it is not what it says', async () => {
    const { uploadUrl, headers, clip } = await ask(REQUEST, wish())
    expect(await put(uploadUrl, headers, Buffer.alloc(MP4.length, '<script>'))).toBe(204)
    const refused = await ask(COMPLETE, { clipId: clip.id })
    expect(refused).toMatchObject({ clip: null, userErrors: [{ code: 'BAD_USER_INPUT', field: 'clipId' }] })
    expect((await ask(COMPLETE, { clipId: clip.id })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })

  it('is nothing to devices of another space', async () => {
    const { uploadUrl, headers, clip } = await ask(REQUEST, wish())
    expect(await put(uploadUrl, headers)).toBe(204)
    expect((await ask(COMPLETE, { clipId: clip.id }, other)).userErrors).toMatchObject([
      { code: 'NOT_FOUND' },
    ])
    expect((await ask(COMPLETE, { clipId: clip.id })).clip.status).toBe('READY')
  })

  it('is nothing to whoever changes its link', async () => {
    const { uploadUrl, headers, clip } = await ask(REQUEST, wish())
    const hostile = [
      uploadUrl.replace(clip.id, newId()),
      uploadUrl.replace('/incoming/', '/media/'),
      uploadUrl.replace('/clips/incoming/', '/clips/../clips/incoming/'),
      uploadUrl.replace('/clips/incoming/', '/clips/%2e%2e/clips/incoming/'),
      uploadUrl.replace(/expires=\d+/, `expires=${Date.now() + 1e9}`),
      uploadUrl.replace(/signature=./, 'signature=_'),
      `${uploadUrl.split('?')[0]}%00?${uploadUrl.split('?')[1]}`,
    ]
    for (const url of hostile.filter(url => new URL(url).href !== new URL(uploadUrl).href))
      expect([403, 404, 405]).toContain(await put(url, headers))
    expect((await fetch(uploadUrl)).status).toBe(403)
    expect((await ask(COMPLETE, { clipId: clip.id })).userErrors).toMatchObject([{ code: 'CONFLICT' }])
  })

  it('is uploaded by messages, too', async () => {
    const { deviceId } = factory.ids
    await using device = await connectStompDevice(product.url, { deviceId, credential: factory.credential })
    const { uploadUrl, headers, clip } = await device.ask('/app/clip/request', wish())
    expect(await put(uploadUrl, headers)).toBe(204)
    expect(await device.ask('/app/clip/complete', { clipId: clip.id })).toMatchObject({
      destination: '/app/clip/complete',
      clip: { id: clip.id, status: 'READY' },
    })
    expect(await device.ask('/app/clip/complete', { clipId: newId() })).toMatchObject({
      destination: '/app/clip/complete',
      errors: [{ index: 0, field: 'clipId' }],
    })
  })
})

describe('clips of anomalies', () => {
  const PAGE = `query ($spaceId: ID!, $first: Int) { anomalies(spaceId: $spaceId, first: $first) {
    nodes { id clip { id url urlExpiresAt } clips(first: 3) { id url posterUrl } } } }`

  interface Page {
    readonly anomalies: {
      readonly nodes: readonly {
        readonly id: string
        readonly clip: { readonly id: string; readonly url: string } | null
        readonly clips: readonly { readonly url: string; readonly posterUrl: string | null }[]
      }[]
    }
  }

  async function signIn(of: Factory): Promise<string> {
    const userId = of.people.VIEWER
    const sessionId = await addSession(product, userId)
    return (await product.signer.signUser({ userId, sessionId })).token
  }

  /** An anomaly of one occurrence, with two clips; its device is the factory's. */
  async function insertAnomaly({ ids: { spaceId, deviceId } }: Factory): Promise<string> {
    const { db } = product.past
    const [id, now] = [newId(), new Date()]
    const shown = { spaceId, deviceId, severity: 'MAJOR', clockReplaced: false, receivedAt: now } as const
    await db.insert(anomalyOccurrence).values({ ...shown, id, type: id, cleared: false, anomalyId: id })
    await db.insert(anomaly).values({
      ...{ ...shown, id, type: id, firstOccurrenceId: id, lastOccurrenceId: id, occurrences: 1 },
      ...{ status: 'OPEN', version: 1 },
    })
    await db.insert(clip).values(
      ['video/mp4', 'image/png'].map(contentType => ({
        ...{
          id: newId(),
          spaceId,
          deviceId,
          eventId: id,
          contentType,
          sizeBytes: 1,
          status: 'READY' as const,
        },
        ...{ hasPoster: contentType === 'video/mp4', createdAt: now },
      })),
    )
    return id
  }

  it('take as many statements for 100 as for one, and one signature an object', async () => {
    const many = await addFactory(product, 'Many', await addPerson(product, 'Guest of many'))
    for (let i = 0; i < 100; i++) await insertAnomaly(many)
    const token = await signIn(many)
    const ask = async (first: number) => {
      product.statements.length = 0
      const variables = { spaceId: many.ids.spaceId, first }
      const { data, errors } = await graphqlRequest<Page>(product.url, PAGE, { token, variables })
      expect(errors).toBeUndefined()
      return { nodes: data?.anomalies.nodes ?? [], statements: product.statements.length }
    }
    await ask(1)
    const [one, all] = [await ask(1), await ask(100)]
    expect(all.statements).toBe(one.statements)
    expect(all.nodes).toHaveLength(100)
    const urls = all.nodes.flatMap(({ clips }) => clips.flatMap(({ url, posterUrl }) => [url, posterUrl]))
    // A video, its poster, and an image that is its own.
    expect(urls).toHaveLength(400)
    expect(new Set(urls).size).toBe(300)
    expect(all.nodes.every(node => node.clip?.url === node.clips[0]?.url)).toBe(true)
    expect((await ask(100)).nodes).toEqual(all.nodes)
  })

  it('are told of to those who follow the anomaly', async () => {
    const { spaceId } = factory.ids
    const eventId = await insertAnomaly(factory)
    const client = createClient({
      url: `${product.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${await signIn(factory)}` },
    })
    const query = `subscription ($spaceId: ID!) { anomalyUpdated(spaceId: $spaceId) { id clip { id url } } }`
    const events = client.iterate<{ anomalyUpdated: { id: string; clip: { id: string; url: string } } }>({
      ...{ query, variables: { spaceId } },
    })
    const next = events.next()
    const completed: string[] = []
    // Until the subscription is open nobody hears: so again and again.
    const told = withDeadline('the news of a clip', 20_000, () => next)
    for (let isTold = false; !isTold; ) {
      const { uploadUrl, headers, clip: pending } = await ask(REQUEST, wish({ eventId }))
      expect(await put(uploadUrl, headers)).toBe(204)
      await ask(COMPLETE, { clipId: pending.id })
      completed.push(pending.id)
      isTold = await Promise.race([told.then(() => true), sleep(100, false)])
    }
    const news = (await told).value?.data?.anomalyUpdated
    expect(news?.id).toBe(eventId)
    expect(completed).toContain(news?.clip.id)
    expect((await fetch(news?.clip.url ?? '')).status).toBe(200)
    await client.dispose()
  })
})
