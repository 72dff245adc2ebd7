import { describe, expect, it } from 'vitest'
import { SUBGRAPH_NAMES } from '../../schema/graphql/subgraph-sdl.ts'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('runs embedded with demo data on loopback when nothing is set', () => {
    expect(readConfig({})).toMatchObject({ port: 4000, host: '127.0.0.1', isEmbedded: true, isDemo: true })
  })

  it('brings no servers and no demo to a process that is not all, and keeps it from loopback', () => {
    const config = readConfig({}, { isAll: false })
    expect(config).toMatchObject({ isEmbedded: false, isDemo: false, host: '::', logLevel: 'info' })
    expect(config).toMatchObject({ databaseUrl: null, isIngestRedisShared: false })
    expect(config.media).toMatchObject({ listen: ['0.0.0.0'], announced: [] })
  })

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', METRICS_PORT: '' })).toMatchObject({ port: 4000, metricsPort: null })
  })

  it('starts nothing embedded and no demo with a database and a Redis of one’s own', () => {
    const config = readConfig({ DATABASE_URL: 'mysql://u:p@db/nuvion', REDIS_URL: 'redis://cache' })
    expect(config).toMatchObject({ isEmbedded: false, isDemo: false, host: '::', isIngestRedisShared: true })
    expect(config.redisIngestUrl).toBe('redis://cache')
  })

  it('names every mistake at once', () => {
    const read = () =>
      readConfig({ PORT: 'no', NUVION_INTERNAL_SECRET: 'short', DATABASE_URL: 'postgres://x' })
    expect(read).toThrow(/PORT: must be a whole number/)
    expect(read).toThrow(/NUVION_INTERNAL_SECRET: must have 32 characters or more/)
    expect(read).toThrow(/DATABASE_URL: must be a URL that begins with mysql/)
  })

  it('reads where each subgraph is, by its name', () => {
    const none = Object.fromEntries(SUBGRAPH_NAMES.map(name => [name, null]))
    expect(readConfig({}).subgraphUrls).toEqual(none)
    for (const name of SUBGRAPH_NAMES) {
      const env = { [`${name.toUpperCase()}_URL`]: `http://${name}:4001/` }
      expect(readConfig(env).subgraphUrls).toEqual({ ...none, [name]: `http://${name}:4001` })
    }
    expect(() => readConfig({ EVENTS_URL: 'http://events/graphql' })).toThrow(
      /EVENTS_URL: must have no path: \/graphql is asked there/,
    )
  })

  it('reads the limits of the gateway', () => {
    expect(readConfig({})).toMatchObject({
      maxCost: 100_000,
      pointsPerSecond: 500,
      trustedProxies: 0,
      persistedDocumentsFile: null,
    })
    expect(readConfig({ NUVION_RATE_LIMIT: '0', NUVION_MAX_COST: '5' })).toMatchObject({
      maxCost: 5,
      pointsPerSecond: 0,
    })
    expect(() => readConfig({ NUVION_RATE_LIMIT: '-1', NUVION_TRUSTED_PROXIES: '99' })).toThrow(
      /NUVION_RATE_LIMIT: must be between 0 and 1000000\n {2}NUVION_TRUSTED_PROXIES: must be between 0 and 10/,
    )
  })

  it('reads where mail goes, and wants a sender for a mail server', () => {
    expect(readConfig({})).toMatchObject({
      publicUrl: null,
      smtp: null,
      mailFrom: { name: 'NUVION', address: 'nuvion@localhost' },
    })
    const mail = {
      NUVION_PUBLIC_URL: 'https://nuvion.example.com/',
      NUVION_SMTP_URL: 'smtps://u:p@mail.example.com',
      NUVION_MAIL_FROM: '누비온 <nuvion@example.com>',
    }
    expect(readConfig(mail)).toMatchObject({
      publicUrl: 'https://nuvion.example.com',
      smtp: { host: 'mail.example.com', port: 465, user: 'u', password: 'p', tls: 'implicit' },
      mailFrom: { name: '누비온', address: 'nuvion@example.com' },
    })
    expect(() =>
      readConfig({ NUVION_SMTP_URL: 'smtp://mail?tls=maybe', NUVION_PUBLIC_URL: 'https://a/b' }),
    ).toThrow(
      /NUVION_PUBLIC_URL: must have no path: links in mails begin with it\n {2}NUVION_SMTP_URL: The options .*\n {2}NUVION_MAIL_FROM: must be set/,
    )
    expect(() => readConfig({ NUVION_MAIL_FROM: 'a@b\r\nBcc: c@d' })).toThrow(
      /NUVION_MAIL_FROM: A sender looks like/,
    )
  })

  it('wants the database and the Redis of one’s own together', () => {
    expect(() => readConfig({ REDIS_URL: 'redis://cache' })).toThrow(
      /REDIS_URL: set DATABASE_URL and REDIS_URL both, or neither/,
    )
  })

  it('sees that the ingest log shares a Redis, also when the same address is given twice', () => {
    const own = { DATABASE_URL: 'mysql://u:p@db/nuvion', REDIS_URL: 'redis://cache' }
    expect(readConfig({ ...own, REDIS_INGEST_URL: 'redis://cache' }).isIngestRedisShared).toBe(true)
    expect(readConfig({ ...own, REDIS_INGEST_URL: 'redis://log' }).isIngestRedisShared).toBe(false)
  })

  it('reads the bucket, all of it or nothing', () => {
    const env = {
      ...{ NUVION_S3_ENDPOINT: 'https://s3.example.com/', NUVION_S3_BUCKET: 'clips' },
      ...{ NUVION_S3_ACCESS_KEY: 'key', NUVION_S3_SECRET_KEY: 'hidden' },
    }
    expect(readConfig(env).s3).toEqual({
      ...{ endpoint: 'https://s3.example.com', bucket: 'clips', region: 'us-east-1' },
      ...{ accessKey: 'key', secretKey: 'hidden', sessionToken: null, isPathStyle: true },
    })
    expect(readConfig({}).s3).toBe(null)
    const { NUVION_S3_BUCKET: _, ...half } = env
    expect(() => readConfig(half)).toThrow(/NUVION_S3_ENDPOINT: set .*NUVION_S3_BUCKET.* all, or none/)
    const wrong = () => readConfig({ ...env, NUVION_S3_ENDPOINT: 's3.example.com', NUVION_S3_BUCKET: 'A/b' })
    expect(wrong).toThrow(/NUVION_S3_ENDPOINT: [\s\S]*NUVION_S3_BUCKET: /)
    expect(wrong).not.toThrow(/hidden/)
  })
})
