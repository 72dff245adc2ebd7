import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeContent } from '../../subgraphs/events/clips/clip-fixture.ts'
import { graphqlRequest } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { connectStompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { addFactory, addPerson, type Factory } from './testing/factory-world.ts'
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
