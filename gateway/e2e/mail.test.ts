import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { graphqlData } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'

it('without a mail server, mail goes to files: links lead back to the process, and codes come at once', async () => {
  await using database = await openTestDatabase()
  await using redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-mail-'))
  const id = newId()
  await database.pool.query(
    `INSERT INTO mail_outbox (id, recipient, template, locale, params, next_attempt_at, created_at)
     VALUES (?, 'kim@example.com', 'password-changed', 'en', '{}', NOW(3), NOW(3))`,
    [id],
  )
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
    const path = await waitFor(() => /^Mail to kim@example\.com: (.*)$/m.exec(product.output())?.[1])
    expect(await readdir(join(dataDir, 'mail'))).toEqual([path.slice(join(dataDir, 'mail').length + 1)])
    const mail = await readFile(path, 'utf8')
    expect(mail).toContain('Subject: [NUVION] Your password was changed')
    expect(mail).toContain(`\nhttp://localhost:${new URL(product.url).port}/`)
    await waitFor(async () => {
      const [rows] = await database.pool.query('SELECT id FROM mail_outbox WHERE sent_at IS NOT NULL')
      return (rows as { id: string }[])[0]?.id === id
    })
    // Sooner than the mailer looks by itself.
    const account = 'email: "lee@example.com", password: "correct horse battery", name: "이순신", locale: KO'
    await graphqlData(product.url, `mutation { signUp(input: { ${account} }) { userErrors { code } } }`)
    const codePath = await waitFor(() => /^Mail to lee@example\.com: (.*)$/m.exec(product.output())?.[1], {
      deadlineMs: 3_000,
    })
    const { subject, text } = await PostalMime.parse(await readFile(codePath))
    expect(subject).toBe('[NUVION] 이메일 인증 코드 안내')
    const code = /\b\d{6}\b/.exec(text ?? '')?.[0]
    const proof = `verifyEmail(input: { email: "lee@example.com", code: "${code}" }) { userErrors { code } }`
    expect(await graphqlData(product.url, `mutation { ${proof} }`)).toEqual({
      verifyEmail: { userErrors: [] },
    })

    for (const event of ['config.no_mail_server', 'config.no_public_url'])
      expect(product.log().split(`"event":"${event}"`)).toHaveLength(2)
    expect(await product.end('SIGTERM')).toBe(0)
  }
  await rm(dataDir, { recursive: true })
})
