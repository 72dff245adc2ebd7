import { z } from 'zod'
import { SEVERITIES } from './severity.ts'

/** Limits of what a device may SEND (8 KiB of text, 16 KiB of attributes, 500 items a body). */
export const MESSAGE_LIMITS = {
  maxItems: 500,
  maxTextBytes: 8 * 1024,
  maxAttributeBytes: 16 * 1024,
  /** Objects and arrays within each other; MariaDB takes no JSON deeper than 32. */
  maxAttributeDepth: 16,
  /** Characters of an anomaly's type. */
  maxTypeLength: 64,
} as const

/** Text that UTF-8 can carry: half of a surrogate pair is none, and no database takes it. */
const wellFormed = z.string().refine(value => value.isWellFormed(), 'has half of a surrogate pair')

const text = (maxBytes: number) =>
  wellFormed.refine(value => Buffer.byteLength(value) <= maxBytes, `longer than ${maxBytes} bytes`)

const attributes = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const fault = findFault(value, MESSAGE_LIMITS.maxAttributeDepth)
  if (fault === undefined && Buffer.byteLength(JSON.stringify(value)) <= MESSAGE_LIMITS.maxAttributeBytes)
    return
  const message = fault ?? `longer than ${MESSAGE_LIMITS.maxAttributeBytes} bytes as JSON`
  context.addIssue({ code: 'custom', message })
})

/** What JSON can say and a database, or JSON written anew, cannot. */
function findFault(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'has half of a surrogate pair'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `deeper than ${MESSAGE_LIMITS.maxAttributeDepth} levels`
  for (const [key, inner] of Object.entries(value)) {
    const fault = findFault(key, levels) ?? findFault(inner, levels - 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

const occurredAt = z.iso.datetime({ offset: true }).optional()

/** Body item of `/app/state`. */
export const stateMessage = z.strictObject({
  status: z.enum(['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN']),
  metrics: attributes.optional(),
  occurredAt,
})

/** Body item of `/app/log`. `id` may be any string here: the door replaces one that is no UUIDv7 of a plausible time. */
export const logMessage = z.strictObject({
  id: z.string().max(64).optional(),
  level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  message: text(MESSAGE_LIMITS.maxTextBytes),
  attributes: attributes.optional(),
  occurredAt,
})

/**
 * Body item of `/app/anomaly`. `type` names what is wrong, the same at each occurrence; `score` is the device's own
 * measure of it; `cleared` says that it is over. `id` as in logMessage.
 */
export const anomalyMessage = z.strictObject({
  id: z.string().max(64).optional(),
  type: wellFormed
    .min(1)
    .max(MESSAGE_LIMITS.maxTypeLength)
    .regex(/^[^\p{Cc}]*$/u, 'has a control character')
    .refine(value => value.trim() === value, 'begins or ends with a space'),
  severity: z.enum(SEVERITIES),
  message: text(MESSAGE_LIMITS.maxTextBytes).optional(),
  score: z.number().optional(),
  attributes: attributes.optional(),
  occurredAt,
  cleared: z.boolean().optional(),
})

/** Body item of `/app/connectivity`: `signal` in dBm, `latencyMs` in milliseconds. */
export const connectivityMessage = z.strictObject({
  network: wellFormed.min(1).max(32),
  signal: z.int().min(-200).max(100).optional(),
  latencyMs: z.number().min(0).max(600_000).optional(),
  occurredAt,
})

/** What a device may SEND: destination → shape of a body, or of each item of a body that is an array. */
export const DEVICE_MESSAGES = {
  '/app/state': { kind: 'state', item: stateMessage },
  '/app/log': { kind: 'log', item: logMessage },
  '/app/connectivity': { kind: 'connectivity', item: connectivityMessage },
  '/app/anomaly': { kind: 'anomaly', item: anomalyMessage },
} as const

/** A destination that a device may SEND to. */
export type DeviceDestination = keyof typeof DEVICE_MESSAGES

/** Body of `/app/clip/request`: the input of the mutation requestClipUpload. What it says is judged there. */
export const clipRequestMessage = z.strictObject({
  eventId: z.string().max(64),
  contentType: z.string().max(64),
  sizeBytes: z.number(),
  durationMs: z.number().nullish(),
})

/** Body of `/app/clip/complete`: the input of the mutation completeClipUpload. */
export const clipCompleteMessage = z.strictObject({ clipId: z.string().max(64) })

/** Body of `/app/broadcast/start`: the input of the mutation startBroadcast. What it says is judged there. */
export const broadcastStartMessage = z.strictObject({
  kind: z.enum(['RTP', 'WHIP', 'RTSP', 'WEBRTC']),
  codec: z.string().max(16).nullish(),
  audioCodec: z.string().max(16).nullish(),
  payloadType: z.int().nullish(),
  ssrc: z.number().nullish(),
  profileLevelId: z.string().max(16).nullish(),
  rtcpMux: z.boolean().nullish(),
  srtpCryptoSuite: z
    .enum(['AEAD_AES_256_GCM', 'AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'])
    .nullish(),
  rtspUrl: z.string().max(2_048).nullish(),
})

/** Body of `/app/broadcast/stop`. */
export const broadcastStopMessage = z.strictObject({})

/**
 * What a device may ask for: destination → shape of the body, which is one object, and the queue of the answer. What it can
 * mend is answered on `/user/queue/errors` instead.
 */
export const DEVICE_CALLS = {
  '/app/clip/request': { queue: '/user/queue/clip', body: clipRequestMessage },
  '/app/clip/complete': { queue: '/user/queue/clip', body: clipCompleteMessage },
  '/app/broadcast/start': { queue: '/user/queue/broadcast', body: broadcastStartMessage },
  '/app/broadcast/stop': { queue: '/user/queue/broadcast', body: broadcastStopMessage },
} as const

/** A destination that a device may SEND to for an answer. */
export type DeviceCall = keyof typeof DEVICE_CALLS

/** What a device may SUBSCRIBE to. */
export const DEVICE_QUEUES = [
  '/user/queue/commands',
  '/user/queue/errors',
  '/user/queue/clip',
  '/user/queue/broadcast',
] as const

/** A queue that a device may SUBSCRIBE to. */
export type DeviceQueue = (typeof DEVICE_QUEUES)[number]

/** What is wrong with one item of a body that a device sent. */
export interface DeviceItemError {
  /** Place in the array, 0 for an object; null when the body is refused whole, or was taken and is refused by id. */
  readonly index: number | null
  /** Id of an item that was found at fault after its body had been taken. */
  readonly id?: string
  /** Dotted path of the field; null when it is the item itself. */
  readonly field: string | null
  readonly reason: string
}

/**
 * Body of a message on `/user/queue/errors`; its header `correlation-id` names the frame, except for items that are
 * found at fault later, such as a log or an anomaly whose id another device has used.
 */
export interface DeviceErrors {
  readonly destination: string
  readonly errors: readonly DeviceItemError[]
}

export type StateMessage = z.infer<typeof stateMessage>
export type LogMessage = z.infer<typeof logMessage>
export type ConnectivityMessage = z.infer<typeof connectivityMessage>
export type AnomalyMessage = z.infer<typeof anomalyMessage>
