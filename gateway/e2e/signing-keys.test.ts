import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { graphqlRequest, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { runOps } from '../../subgraphs/shared/testkit/run-ops.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

it('keys that got out are replaced while the site runs: their tokens and sockets end, and sessions go on', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-keys-'))
  {
    const env = {
      NUVION_DATA: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.liveUrl,
      REDIS_INGEST_URL: redis.ingestUrl,
      HOST: '127.0.0.1',
      NUVION_DEMO: '1',
    }
    await using device = await startProduct({ roles: ['device'], env })
    await using events = await startProduct({ roles: ['events'], env })
    const urls = { DEVICE_URL: device.url, EVENTS_URL: events.url, NUVION_DEMO: '0' }
    await using gateway = await startProduct({
      roles: ['gateway', 'reports', 'streaming'],
      env: { ...env, ...urls },
    })
    const { url } = gateway
    const statusOf = async (token: string) =>
      (await graphqlRequest(url, '{ viewer { email } }', { token })).status
    const kidsAt = async (at: string) => {
      const jwks = (await (await fetch(`${at}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
      return jwks.keys.map(({ kid }) => kid)
    }

    const [old] = await kidsAt(url)
    const token = await signIn(url)
    expect(await runOps(['keys', 'rotate'], env)).toContain('signs from')
    const published = await waitFor(
      async () => {
        const kids = [await kidsAt(url), await kidsAt(device.url)]
        return kids.every(({ length }) => length === 2) ? kids : null
      },
      { deadlineMs: 15_000, what: 'the coming key at each role' },
    )
    expect(published[0]).toEqual(published[1])
    expect(await statusOf(token)).toBe(200)

    const closed = Promise.withResolvers<{ code: number }>()
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
      onNonLazyError: () => {},
      on: { closed: event => closed.resolve(event as { code: number }) },
    })
    await new Promise(resolve => client.on('connected', resolve))
    await runOps(['keys', 'rotate', '--now'], env)
    // Met with a key that it does not know yet, the gateway looks at once: nobody who signs in is turned away.
    const fresh = await waitFor(
      async () => {
        const candidate = await signIn(url)
        const [header = ''] = candidate.split('.')
        return JSON.parse(Buffer.from(header, 'base64url').toString()).kid === old ? null : candidate
      },
      { deadlineMs: 15_000, what: 'a token of the new key' },
    )
    expect(await statusOf(fresh)).toBe(200)
    expect(await statusOf(token)).toBe(401)
    expect(await closed.promise).toMatchObject({ code: 4403 })
    expect(await kidsAt(url)).toHaveLength(1)
    await client.dispose()
  }
  await rm(dataDir, { recursive: true })
}, 90_000)
