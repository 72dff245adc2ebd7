import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { expect, it } from 'vitest'
import { type Followed, follow } from '../../subgraphs/shared/testkit/follow.ts'
import { graphqlData, graphqlRequest, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { connectStompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

const PASSWORD = 'correct horse battery'

/** Plain text of the newest mail to an address that has `word`. */
async function readMail(product: Product, email: string, word: RegExp): Promise<string> {
  const found = await waitFor(
    async () => {
      for (const [, to, path = ''] of product.output().matchAll(/^Mail to (\S+): (.*)$/gm)) {
        const text = (await readFile(path, 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=')
        const match = to === email ? word.exec(text)?.[1] : undefined
        if (match !== undefined) return match
      }
    },
    { what: `a mail to ${email} with ${word}` },
  )
  return found
}

/** Answers the payload of a mutation without user errors. */
async function mutate(url: string, name: string, input: object, selection: string, token?: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} userErrors { code message } } }`
  // biome-ignore lint/suspicious/noExplicitAny: payloads have the shape that was asked for
  const data = await graphqlData<any>(url, query, { variables: { input }, token })
  expect(data[name].userErrors).toEqual([])
  return data[name]
}

async function signUp(product: Product, email: string): Promise<string> {
  const { url } = product
  await mutate(url, 'signUp', { email, password: PASSWORD, name: email.split('@')[0] }, 'accepted')
  const code = await readMail(product, email, /^\s*(\d{6})\s*$/m)
  await mutate(url, 'verifyEmail', { email, code }, 'user { id }')
  return signIn(url, email, PASSWORD)
}

/** Milliseconds from a change until what it ends has ended. */
async function timeUntil(change: () => Promise<unknown>, ended: () => Promise<unknown>): Promise<number> {
  await change()
  const changedAt = performance.now()
  await ended()
  return performance.now() - changedAt
}

const endOf = (followed: Followed<unknown>) =>
  followed
    .first(() => false)
    .then(
      () => '',
      error => String(error.message),
    )

/** Follows a subscription as an event stream, which ends with what its last `next` has said. */
function stream(url: string, token: string, query: string, variables: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient({ url: `${url}/graphql`, headers, retryAttempts: 0 })
  const ended = Promise.withResolvers<string>()
  const told: string[] = []
  client.subscribe(
    { query, variables },
    {
      next: result => told.push(JSON.stringify(result)),
      error: error => ended.resolve(String(error)),
      complete: () => ended.resolve(told.at(-1) ?? ''),
    },
  )
  return { told, ended: ended.promise, [Symbol.dispose]: () => client.dispose() }
}

it('people make a space and invite each other; who is removed, the devices of a deleted space, and one whose credential is revoked are out within a second', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-rights-'))
  {
    await using product = await startProduct({
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: database.url,
        REDIS_URL: redis.liveUrl,
        REDIS_INGEST_URL: redis.ingestUrl,
        HOST: '127.0.0.1',
      },
    })
    const { url } = product
    const ann = await signUp(product, 'ann@example.com')
    const bob = await signUp(product, 'bob@example.com')
    const factory = { name: 'Ulsan', timezone: 'Asia/Seoul' }
    const { space } = await mutate(url, 'createSpace', factory, 'space { id }', ann)
    const spaceId: string = space.id
    const reads = async (token: string) => {
      const query = `query ($id: ID!) { space(id: $id) { id } logs(spaceId: $id) { nodes { id } } }`
      const { data } = await graphqlRequest(url, query, { variables: { id: spaceId }, token })
      return data?.space != null
    }
    expect(await reads(bob)).toBe(false)

    const invited = { spaceId, email: 'Bob@Example.com', role: 'OPERATOR' }
    await mutate(url, 'inviteMember', invited, 'invitation { id }', ann)
    const token = await readMail(product, 'bob@example.com', /#token=([\w-]{43})/)
    const joined = await mutate(url, 'acceptInvitation', { token }, 'space { id viewerRole }', bob)
    expect(joined.space).toEqual({ id: spaceId, viewerRole: 'OPERATOR' })
    await waitFor(() => reads(bob), { what: 'what the new member may read', deadlineMs: 1_000 })

    const device = { spaceId, code: 'P-1', name: 'Press' }
    const { device: made, credential } = await mutate(
      url,
      'registerDevice',
      device,
      'device { id } credential',
      ann,
    )
    const login = { deviceId: made.id, credential }
    await using press = await connectStompDevice(url, login)
    const LOGS = 'subscription ($id: ID!) { logAdded(spaceId: $id) { message } }'
    const isThere = async (followed: Followed<{ logAdded: { message: string } }>) => {
      let isSeen = false
      void followed
        .first(() => true)
        .then(() => {
          isSeen = true
        })
      await waitFor(async () => {
        await press.send('/app/log', { level: 'INFO', message: 'hello' })
        return isSeen
      })
    }
    await using bobs = follow<{ logAdded: { message: string } }>(url, bob, LOGS, { id: spaceId })
    await using anns = follow<{ logAdded: { message: string } }>(url, ann, LOGS, { id: spaceId })
    using bobsStream = stream(url, bob, LOGS, { id: spaceId })
    using annsStream = stream(url, ann, LOGS, { id: spaceId })
    await Promise.all([isThere(bobs), isThere(anns)])
    await waitFor(async () => {
      await press.send('/app/log', { level: 'INFO', message: 'hello' })
      return bobsStream.told.length > 0 && annsStream.told.length > 0
    })

    const { viewer } = await graphqlData<{ viewer: { id: string } }>(url, '{ viewer { id } }', { token: bob })
    const removalMs = await timeUntil(
      () => mutate(url, 'removeMember', { spaceId, userId: viewer.id }, 'membership { role }', ann),
      async () => {
        expect(await endOf(bobs)).toContain('not a member')
        expect(await bobsStream.ended).toContain('not a member')
        await waitFor(async () => !(await reads(bob)))
      },
    )
    expect(removalMs).toBeLessThan(1_000)
    expect(await reads(ann)).toBe(true)
    // Who comes again is told that there is nothing, on a socket and on a stream too.
    await using bobsAgain = follow(url, bob, LOGS, { id: spaceId })
    using bobsStreamAgain = stream(url, bob, LOGS, { id: spaceId })
    expect(await endOf(bobsAgain)).toContain('NOT_FOUND')
    expect(await bobsStreamAgain.ended).toContain('NOT_FOUND')
    expect(bobsStreamAgain.told).toHaveLength(1)

    const deletionMs = await timeUntil(
      () => mutate(url, 'deleteSpace', { spaceId }, 'space { deletedAt }', ann),
      async () => {
        await endOf(anns)
        expect(await annsStream.ended).toContain('not a member')
        await waitFor(async () => !(await reads(ann)))
        await waitFor(() =>
          press.send('/app/log', { level: 'INFO', message: 'late' }).then(
            () => false,
            () => true,
          ),
        )
      },
    )
    expect(deletionMs).toBeLessThan(1_000)
    await expect(connectStompDevice(url, login)).rejects.toThrow('Not authenticated')

    await mutate(url, 'restoreSpace', { spaceId }, 'space { id }', ann)
    await waitFor(() => reads(ann), { what: 'the restored space', deadlineMs: 1_000 })
    await using again = await connectStompDevice(url, login)
    await again.send('/app/log', { level: 'INFO', message: 'back' })

    const rotated = { deviceId: made.id, overlapMinutes: 0 }
    const rotationMs = await timeUntil(
      () => mutate(url, 'rotateDeviceCredential', rotated, 'credential', ann),
      () =>
        waitFor(() =>
          again.send('/app/log', { level: 'INFO', message: 'late' }).then(
            () => false,
            () => true,
          ),
        ),
    )
    expect(rotationMs).toBeLessThan(1_000)
    await expect(connectStompDevice(url, login)).rejects.toThrow('Not authenticated')
    for (const secret of [token, credential, PASSWORD]) expect(product.log()).not.toContain(secret)
    expect(await product.end('SIGTERM')).toBe(0)
  }
  await rm(dataDir, { recursive: true })
}, 60_000)
