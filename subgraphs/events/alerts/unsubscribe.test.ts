import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { openTestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { endMail } from './settings-change.ts'
import { findSettings } from './settings-repository.ts'
import { createUnsubscribeTokens } from './unsubscribe.ts'
import { createUnsubscribePage, UNSUBSCRIBE_PREFIX } from './unsubscribe-page.ts'

const tokens = createUnsubscribeTokens({ secret: 'a secret of the site, and long enough' })
const [spaceId, userId] = [newId(), newId()]
const key = { spaceId, userId }

describe('the token of an unsubscribe link', () => {
  it('says whose mail it is', () => {
    expect(tokens.read(tokens.make(spaceId, userId))).toEqual(key)
  })

  it('is refused when a bit of it is another, of another site, or nothing at all', () => {
    const bytes = Buffer.from(tokens.make(spaceId, userId), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(tokens.read(changed.toString('base64url'))).toBeNull()
    }
    const others = createUnsubscribeTokens({ secret: 'a secret of another, and long enough' })
    expect(tokens.read(others.make(spaceId, userId))).toBeNull()
    for (const token of [
      '',
      'a',
      `${tokens.make(spaceId, userId)}=`,
      'A'.repeat(75),
      '%00',
      '../'.repeat(25),
    ])
      expect(tokens.read(token)).toBeNull()
  })
})

describe('the page of an unsubscribe link', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let url: string
  const server = createServer()

  beforeAll(async () => {
    database = await openTestDatabase()
    const page = createUnsubscribePage({
      tokens,
      endMail: whose => endMail(database.db, whose),
      logger: createLogger({ level: 'silent', role: 'test' }),
    })
    server.on('request', page.handleRequest).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${UNSUBSCRIBE_PREFIX}`
  })

  afterAll(async () => {
    server.close()
    await database?.[Symbol.asyncDispose]()
  })

  it('changes nothing when it is looked at, and ends the mail when it is posted to, once or often', async () => {
    const link = `${url}${tokens.make(spaceId, userId)}`
    for (const method of ['GET', 'HEAD']) {
      const looked = await fetch(link, { method })
      expect(looked.status).toBe(200)
      expect(looked.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect((await looked.text()).includes('<form method="post">')).toBe(method === 'GET')
    }
    expect(await findSettings(database.db, key)).toMatchObject({ email: true, version: 0 })
    // As RFC 8058 has it.
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    for (let i = 0; i < 2; i++) expect((await fetch(link, { method: 'POST', body })).status).toBe(200)
    expect(await findSettings(database.db, key)).toMatchObject({ email: false, version: 1 })
  })

  it('does nothing for a link that was not made here, and for other methods', async () => {
    expect((await fetch(`${url}${'A'.repeat(75)}`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    const deleted = await fetch(`${url}${tokens.make(spaceId, newId())}`, { method: 'DELETE' })
    expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})
