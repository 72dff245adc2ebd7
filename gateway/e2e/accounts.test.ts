import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { graphqlData, graphqlRequest, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

const EMAIL = 'kim@example.com'

/** Plain text of the newest mail to the address, once there are `count` of them. */
async function readMail(product: Product, count: number): Promise<string> {
  const hasCome = () => [...product.output().matchAll(/^Mail to kim@example\.com: (.*)$/gm)].at(count - 1)
  const [, path = ''] = (await waitFor(hasCome, { what: `mail ${count}` })) ?? []
  return (await readFile(path, 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

it('an account is made, proven by mail, signed out and reset, and ended sessions are refused at once', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-accounts-'))
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
    const mutate = (field: string, token?: string) => graphqlData(url, `mutation { ${field} }`, { token })
    const statusOf = async (token: string) =>
      (await graphqlRequest(url, '{ viewer { email } }', { token })).status

    await mutate(
      `signUp(input: { email: "${EMAIL}", password: "correct horse", name: "Kim" }) { accepted userErrors { code } }`,
    )
    const code = /^\s*(\d{6})\s*$/m.exec(await readMail(product, 1))?.[1]
    expect(
      await mutate(`verifyEmail(input: { email: "${EMAIL}", code: "${code}" }) { user { emailVerified } }`),
    ).toEqual({ verifyEmail: { user: { emailVerified: true } } })

    const [first, second, third] = [
      await signIn(url, EMAIL, 'correct horse'),
      await signIn(url, EMAIL, 'correct horse'),
      await signIn(url, EMAIL, 'correct horse'),
    ]
    expect(await mutate('signOut { signedOut }', first)).toEqual({ signOut: { signedOut: true } })
    await waitFor(async () => (await statusOf(first)) === 401, { what: 'the refusal of the first token' })
    expect(await statusOf(second)).toBe(200)
    expect(await mutate('signOut(input: { everywhere: true }) { signedOut }', second)).toEqual({
      signOut: { signedOut: true },
    })
    await waitFor(async () => (await statusOf(third)) === 401, { what: 'the refusal of the third token' })

    // With a token that is refused, as a client has that was signed out.
    await mutate(`requestPasswordReset(input: { email: "${EMAIL}" }) { accepted }`, third)
    const token = /token=([\w-]{43})/.exec(await readMail(product, 2))?.[1]
    const reset = `resetPassword(input: { token: "${token}", newPassword: "battery staple" }) { changed }`
    expect(await mutate(reset)).toEqual({ resetPassword: { changed: true } })
    expect(await readMail(product, 3)).toContain('Subject: [NUVION] Your password was changed')
    expect(await statusOf(await signIn(url, EMAIL, 'battery staple'))).toBe(200)
    for (const secret of [code ?? '', token ?? '', 'correct horse', 'battery staple'])
      expect(product.log()).not.toContain(secret)
    expect(await product.end('SIGTERM')).toBe(0)
  }
  await rm(dataDir, { recursive: true })
}, 60_000)
