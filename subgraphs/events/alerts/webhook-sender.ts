import { createHmac } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { withDeadline } from '../../shared/deadline.ts'
import { findWebhookAddress, type LookUp, PrivateAddressError } from './webhook-address.ts'

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same at each attempt, so that who receives it twice can tell. */
  readonly id: string
  readonly url: string
  /** What the receiver checks the signature with: `whsec_` and base64, or any text. Null sends without a signature. */
  readonly secret: string | null
  readonly body: object
}

/** What came of an attempt. */
export type WebhookOutcome =
  | { readonly kind: 'delivered' }
  /** It may go well later; not before `retryAfterMs`, if the receiver said so. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  /** It will not go well. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface WebhookSenderOptions {
  /** Whether addresses that are not the internet's may be asked, and http. */
  readonly allowPrivate: boolean
  /** How long an attempt may take. Default 10 s. */
  readonly deadlineMs?: number
  /** Default: the system's. */
  readonly lookUp?: LookUp
}

/** Sends messages to webhooks. */
export interface WebhookSender {
  /** Makes one attempt; never rejects. */
  send(message: WebhookMessage): Promise<WebhookOutcome>
}

const MAX_RETRY_AFTER_MS = 60 * 60_000

/**
 * Creates the sender. A message is a POST of JSON signed as Standard Webhooks 1.0 has it (`webhook-id`,
 * `webhook-timestamp`, `webhook-signature`). Redirects are not followed, answers are not read. 410 refuses for good, and
 * so do redirects and 4xx but 408, 409, 425 and 429.
 */
export function createWebhookSender({
  allowPrivate,
  deadlineMs = 10_000,
  lookUp,
}: WebhookSenderOptions): WebhookSender {
  async function attempt(message: WebhookMessage, signal: AbortSignal): Promise<WebhookOutcome> {
    const url = new URL(message.url)
    const { address, family } = await findWebhookAddress(url, { allowPrivate, lookUp })
    const body = JSON.stringify(message.body)
    const response = await post(
      url,
      { address, family },
      { body, headers: signedHeaders(message, body), signal },
    )
    response.destroy()
    return judge(response)
  }

  return {
    async send(message) {
      try {
        return await withDeadline('The webhook', deadlineMs, signal => attempt(message, signal))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return { kind: error instanceof PrivateAddressError ? 'refused' : 'failed', reason }
      }
    },
  }
}

/** Signature and the rest, over `<id>.<seconds>.<body>`. */
function signedHeaders({ id, secret }: WebhookMessage, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'NUVION',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  }
  if (secret === null) return headers
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${mac}` }
}

function post(
  url: URL,
  { address, family }: { address: string; family: 4 | 6 },
  { body, headers, signal }: { body: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const answered = Promise.withResolvers<IncomingMessage>()
  request(url, {
    method: 'POST',
    headers,
    signal,
    agent: false,
    // The name was looked up and judged once; a second answer could be another.
    lookup: (_, { all }, callback) =>
      all ? callback(null, [{ address, family }]) : callback(null, address, family),
  })
    .on('response', answered.resolve)
    .on('error', answered.reject)
    .end(body)
  return answered.promise
}

function judge({ statusCode: status = 0, headers }: IncomingMessage): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const reason = `The webhook answered ${status}`
  const isTemporary = status >= 500 || [408, 409, 425, 429].includes(status)
  if (!isTemporary) return { kind: 'refused', reason }
  const retryAfterMs = readRetryAfter(headers['retry-after'])
  return { kind: 'failed', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** Reads seconds or a date (RFC 9110 §10.2.3), an hour at most. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : undefined
}
