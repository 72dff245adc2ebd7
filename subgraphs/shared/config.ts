import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { SUBGRAPH_NAMES, type SubgraphName } from '../../schema/graphql/subgraph-sdl.ts'
import { parseMailSender } from './mail/mail-address.ts'
import { parseSmtpUrl } from './mail/smtp-address.ts'
import { parseAddresses, parseHosts, parsePortBlock, parseTurnUrls } from './media-settings.ts'
import type { S3Bucket } from './storage/s3-signature.ts'

const whole = z
  .string()
  .regex(/^-?\d+$/, 'must be a whole number')
  .transform(Number)
const count = (min: number, max: number) =>
  whole.refine(value => value >= min && value <= max, `must be between ${min} and ${max}`)
const port = count(0, 65_535)
const flag = z.enum(['0', '1']).transform(value => value === '1')
const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      value => protocols.some(protocol => value.startsWith(`${protocol}://`)) && URL.canParse(value),
      `must be a URL that begins with ${protocols.map(protocol => `${protocol}://`).join(' or ')}`,
    )

const origin = (why: string) =>
  url('http', 'https').refine(
    value => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`,
    `must have no path: ${why}`,
  )

type SubgraphVariable = `${Uppercase<SubgraphName>}_URL`
const subgraphVariable = (name: SubgraphName) => `${name.toUpperCase()}_URL` as SubgraphVariable
const subgraphOrigin = origin('/graphql is asked there').optional()
const subgraphOrigins = Object.fromEntries(
  SUBGRAPH_NAMES.map(name => [subgraphVariable(name), subgraphOrigin]),
) as Record<SubgraphVariable, typeof subgraphOrigin>

/** What `parse` makes of the text; its TypeError is the mistake. */
const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  })

/** What a bucket takes; set all, or none. */
const S3_VARIABLES = [
  'NUVION_S3_ENDPOINT',
  'NUVION_S3_BUCKET',
  'NUVION_S3_ACCESS_KEY',
  'NUVION_S3_SECRET_KEY',
] as const

const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).optional(),
  METRICS_PORT: port.optional(),
  NUVION_DATA: z.string().min(1).default('.nuvion'),
  DATABASE_URL: url('mysql', 'mariadb').optional(),
  REDIS_URL: url('redis', 'rediss', 'unix').optional(),
  REDIS_INGEST_URL: url('redis', 'rediss', 'unix').optional(),
  ...subgraphOrigins,
  MEDIA_URL: origin('/media is asked there').optional(),
  NUVION_MEDIA_PORTS: parsedBy(parsePortBlock).optional(),
  NUVION_MEDIA_LISTEN: parsedBy(parseAddresses).optional(),
  NUVION_ANNOUNCED_ADDRESS: parsedBy(parseHosts).optional(),
  NUVION_MEDIA_WORKERS: count(1, 64).optional(),
  NUVION_TURN_URLS: parsedBy(parseTurnUrls).optional(),
  NUVION_TURN_SECRET: z.string().min(8, 'must have 8 characters or more').optional(),
  NUVION_PUBLIC_URL: origin('links in mails begin with it').optional(),
  NUVION_SMTP_URL: parsedBy(parseSmtpUrl).optional(),
  NUVION_MAIL_FROM: parsedBy(parseMailSender).default({ name: 'NUVION', address: 'nuvion@localhost' }),
  NUVION_DEMO: flag.optional(),
  NUVION_PROFILE: z.enum(['standard', 'small']).default('standard'),
  NUVION_SIGNING_KEYS: z.string().min(2).optional(),
  NUVION_KEY_DAYS: count(0, 3650).default(90),
  NUVION_INTERNAL_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  NUVION_INSTANCE: z.string().min(1).max(36).optional(),
  NUVION_RETENTION_DAYS: count(1, 3650).default(90),
  NUVION_WEBHOOK_PRIVATE: flag.default(false),
  NUVION_FRAME_MAX_BYTES: count(1024, 16 * 1024 * 1024).default(64 * 1024),
  NUVION_LIFE_SIGN_SECONDS: count(1, 3600).default(60),
  NUVION_INGEST_LOG_MAX_BYTES: count(1024 * 1024, 2 ** 40).default(512 * 1024 * 1024),
  NUVION_INGEST_REPLICAS: count(0, 5).default(0),
  NUVION_DATABASE_POOL: count(1, 500).default(10),
  NUVION_MAX_COST: count(1, 1_000_000_000).default(100_000),
  NUVION_RATE_LIMIT: count(0, 1_000_000).default(500),
  NUVION_S3_ENDPOINT: origin('the bucket is named apart').optional(),
  NUVION_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  NUVION_S3_REGION: z.string().min(1).default('us-east-1'),
  NUVION_S3_ACCESS_KEY: z.string().min(1).optional(),
  NUVION_S3_SECRET_KEY: z.string().min(1).optional(),
  NUVION_S3_SESSION_TOKEN: z.string().min(1).optional(),
  NUVION_S3_PATH_STYLE: flag.default(true),
  NUVION_CLIP_MAX_BYTES: count(1, 2 ** 31 - 1).default(512 * 1024 * 1024),
  NUVION_TRUSTED_PROXIES: count(0, 10).default(0),
  NUVION_PERSISTED_DOCUMENTS: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  NODE_ENV: z.string().default('production'),
  NUVION_SUPERVISED: flag.default(false),
  NUVION_SUPERVISED_PORT: port.optional(),
})

/** Configuration of a process, from its environment. Names of its variables are in README's table. */
export type Config = Readonly<ReturnType<typeof toConfig>>

/**
 * Reads the configuration out of an environment, with defaults filled in, frozen.
 *
 * Without addresses of servers a process that is `isAll` (the default) brings its own, with a demo; one of other roles does
 * not. An empty variable counts as unset. Throws an Error that names every variable at fault and what it must be.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  { isAll = true }: { isAll?: boolean } = {},
): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(set)
  const mistakes = parsed.success ? [] : parsed.error.issues.map(i => `${i.path.join('.')}: ${i.message}`)
  const half = ['DATABASE_URL', 'REDIS_URL'].filter(name => set[name] !== undefined)
  if (half.length === 0 && set.REDIS_INGEST_URL !== undefined) half.push('REDIS_INGEST_URL')
  if (half.length === 1 && parsed.success)
    mistakes.push(`${half[0]}: set DATABASE_URL and REDIS_URL both, or neither`)
  if (set.NUVION_SMTP_URL !== undefined && set.NUVION_MAIL_FROM === undefined)
    mistakes.push('NUVION_MAIL_FROM: must be set with NUVION_SMTP_URL')
  if ((set.NUVION_TURN_URLS === undefined) !== (set.NUVION_TURN_SECRET === undefined))
    mistakes.push('NUVION_TURN_URLS: must be set with NUVION_TURN_SECRET')
  const s3 = S3_VARIABLES.filter(name => set[name] !== undefined)
  if (s3.length > 0 && s3.length < S3_VARIABLES.length)
    mistakes.push(`${s3[0]}: set ${S3_VARIABLES.join(', ')} all, or none`)
  if (!parsed.success || mistakes.length > 0) {
    throw new Error(['The configuration cannot be used:', ...mistakes].join('\n  '))
  }
  return Object.freeze(toConfig(parsed.data, isAll))
}

function toConfig(env: z.infer<typeof environment>, isAll: boolean) {
  const databaseUrl = env.DATABASE_URL
  const redisUrl = env.REDIS_URL
  const isEmbedded = isAll && (databaseUrl === undefined || redisUrl === undefined)
  const isDemo = env.NUVION_DEMO ?? isEmbedded
  return {
    port: env.PORT,
    /** The demo sign-in is public knowledge, so a demo listens on loopback unless HOST says otherwise. */
    host: env.HOST ?? (isDemo && isEmbedded ? '127.0.0.1' : '::'),
    metricsPort: env.METRICS_PORT ?? null,
    dataDir: isAbsolute(env.NUVION_DATA) ? env.NUVION_DATA : resolve(env.NUVION_DATA),
    isEmbedded,
    databaseUrl: databaseUrl ?? null,
    redisUrl: redisUrl ?? null,
    redisIngestUrl: env.REDIS_INGEST_URL ?? redisUrl ?? null,
    isIngestRedisShared: redisUrl !== undefined && (env.REDIS_INGEST_URL ?? redisUrl) === redisUrl,
    /** Where the gateway asks a subgraph that is not beside it. */
    subgraphUrls: Object.fromEntries(
      SUBGRAPH_NAMES.map(name => [name, toOrigin(env[subgraphVariable(name)])]),
    ) as Readonly<Record<SubgraphName, string | null>>,
    media: toMedia(env, isDemo && isEmbedded),
    /** Origin that people open; null when only the port is known. */
    publicUrl: toOrigin(env.NUVION_PUBLIC_URL),
    /** Null writes mail to files. */
    smtp: env.NUVION_SMTP_URL ?? null,
    mailFrom: env.NUVION_MAIL_FROM,
    isDemo,
    isSmall: env.NUVION_PROFILE === 'small',
    signingKeys: env.NUVION_SIGNING_KEYS ?? null,
    /** Days for which a key in the data folder signs; 0 is for good. */
    keyDays: env.NUVION_KEY_DAYS,
    internalSecret: env.NUVION_INTERNAL_SECRET ?? null,
    instance: env.NUVION_INSTANCE ?? null,
    retentionDays: env.NUVION_RETENTION_DAYS,
    /** Whether webhooks may lead to private addresses, and be http. */
    allowsPrivateWebhooks: env.NUVION_WEBHOOK_PRIVATE,
    maxFrameBytes: env.NUVION_FRAME_MAX_BYTES,
    lifeSignMs: env.NUVION_LIFE_SIGN_SECONDS * 1000,
    maxIngestLogBytes: env.NUVION_INGEST_LOG_MAX_BYTES,
    ingestReplicas: env.NUVION_INGEST_REPLICAS,
    databasePool: env.NUVION_DATABASE_POOL,
    maxCost: env.NUVION_MAX_COST,
    /** Points a second of each caller; 0 is no limit. */
    pointsPerSecond: env.NUVION_RATE_LIMIT,
    /** Null keeps objects in files of the data folder. */
    s3: toBucket(env),
    maxClipBytes: env.NUVION_CLIP_MAX_BYTES,
    trustedProxies: env.NUVION_TRUSTED_PROXIES,
    persistedDocumentsFile: env.NUVION_PERSISTED_DOCUMENTS ?? null,
    /** Whoever looks at a demo looks at its terminal. */
    logLevel: env.LOG_LEVEL ?? (isDemo && isEmbedded ? 'warn' : 'info'),
    isProduction: env.NODE_ENV === 'production',
    /** Set by our supervisor for its processes alone. */
    isSupervised: env.NUVION_SUPERVISED,
    /** Port of the whole product, for the process that does not listen on it; null when that is not fixed. */
    supervisedPort: env.NUVION_SUPERVISED_PORT ?? null,
  }
}

function toBucket(env: z.infer<typeof environment>): S3Bucket | null {
  const { NUVION_S3_ENDPOINT: url, NUVION_S3_BUCKET: bucket } = env
  const { NUVION_S3_ACCESS_KEY: accessKey, NUVION_S3_SECRET_KEY: secretKey } = env
  const endpoint = toOrigin(url)
  if (endpoint === null || !bucket || !accessKey || !secretKey) return null
  const sessionToken = env.NUVION_S3_SESSION_TOKEN ?? null
  const isPathStyle = env.NUVION_S3_PATH_STYLE
  return { endpoint, bucket, region: env.NUVION_S3_REGION, accessKey, secretKey, sessionToken, isPathStyle }
}

function toMedia(env: z.infer<typeof environment>, isLocal: boolean) {
  const { NUVION_TURN_URLS: urls, NUVION_TURN_SECRET: secret } = env
  return {
    /** Origin of the media role when it runs elsewhere. */
    url: toOrigin(env.MEDIA_URL),
    /** Null takes a free block. */
    ports: env.NUVION_MEDIA_PORTS ?? null,
    listen: env.NUVION_MEDIA_LISTEN ?? [isLocal ? '127.0.0.1' : '0.0.0.0'],
    announced: env.NUVION_ANNOUNCED_ADDRESS ?? (isLocal ? ['127.0.0.1'] : []),
    /** Null is one for every two cores. */
    workers: env.NUVION_MEDIA_WORKERS ?? null,
    turn: urls === undefined || secret === undefined ? null : { urls, secret },
  }
}

function toOrigin(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url).origin
}
