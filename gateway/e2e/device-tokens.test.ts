import { afterAll, beforeAll, expect, it } from 'vitest'
import { graphqlRequest } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { addFactory, addPerson, addSession, type Factory } from './testing/factory-world.ts'
import { startWholeProduct, type WholeProduct } from './testing/whole-product.ts'

let product: WholeProduct
beforeAll(async () => {
  product = await startWholeProduct()
}, 60_000)
afterAll(() => product[Symbol.asyncDispose](), 60_000)

async function openFactory() {
  const factory = await addFactory(product, 'Press', await addPerson(product, 'Guest'))
  const userId = factory.people.ADMIN
  const { token: admin } = await product.signer.signUser({
    userId,
    sessionId: await addSession(product, userId),
  })
  return { ...factory, admin }
}

async function tokenOf({ ids: { deviceId } }: Factory, credential: string): Promise<string> {
  const { data } = await graphqlRequest<{ deviceToken: { token: string } }>(
    product.url,
    'mutation ($input: DeviceTokenInput!) { deviceToken(input: $input) { token } }',
    { variables: { input: { deviceId, credential } } },
  )
  return data?.deviceToken.token ?? ''
}

/** What a device is told of itself: its name, or the code of the error. */
async function readItself({ ids }: Factory, token: string): Promise<string> {
  const { data, errors } = await graphqlRequest<{ device: { name: string } | null }>(
    product.url,
    'query ($id: ID!) { device(id: $id) { name } }',
    { token, variables: { id: ids.deviceId } },
  )
  return String(errors?.[0]?.extensions?.code ?? data?.device?.name)
}

it.each([
  ['its credential ended at once', 'rotateDeviceCredential', { overlapMinutes: 0 }],
  ['it was removed', 'removeDevice', {}],
])('a token that a device has is refused everywhere once %s', async (_, mutation, also) => {
  const factory = await openFactory()
  const token = await tokenOf(factory, factory.credential)
  expect(await readItself(factory, token)).toBe('Press Press')
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`
  const { data } = await graphqlRequest<{ it: { userErrors: []; credential?: string } }>(
    product.url,
    `mutation ($input: ${type}) { it: ${mutation}(input: $input) { userErrors { code } ${
      mutation === 'removeDevice' ? '' : 'credential'
    } } }`,
    { token: factory.admin, variables: { input: { deviceId: factory.ids.deviceId, ...also } } },
  )
  expect(data?.it.userErrors).toEqual([])
  await waitFor(async () => (await readItself(factory, token)) === 'UNAUTHENTICATED' || undefined)
  const credential = data?.it.credential
  if (credential !== undefined)
    expect(await readItself(factory, await tokenOf(factory, credential))).toBe('Press Press')
})
