import { getSupportedRtpCapabilities, type types } from 'mediasoup'
import { z } from 'zod'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaJson } from '../subgraphs/shared/media-port.ts'

// mediasoup writes what it is given into a buffer that all requests to a worker share. A value of another type breaks off
// half-way, and no request to that worker can be written any more: so each is checked here, and what is not known left out.

const MAX_UINT32 = 0xffffffff
const URIS: ReadonlySet<string> = new Set(
  getSupportedRtpCapabilities().headerExtensions?.map(extension => extension.uri),
)

const uint32 = z.int().min(0).max(MAX_UINT32)
const payloadType = z.int().min(0).max(127)
const text = (max: number) => z.string().max(max)
const parameters = z.record(text(100), z.union([text(1_000), z.int32(), z.boolean()]))
const kind = z.enum(['audio', 'video'])
const mimeType = text(64).regex(/^(audio|video)\/[\w.+-]+$/i)
const rtcpFeedback = z.array(z.object({ type: text(50), parameter: text(50).optional() })).max(20)
const codec = {
  mimeType,
  clockRate: z.int().min(1).max(MAX_UINT32),
  channels: z.int().min(1).max(255).optional(),
  parameters: parameters.optional(),
  rtcpFeedback: rtcpFeedback.optional(),
}

const rtpCapabilities = z.object({
  codecs: z.array(z.object({ ...codec, kind, preferredPayloadType: payloadType })).max(200),
  headerExtensions: z
    .array(
      z.object({
        kind,
        uri: text(200),
        preferredId: z.int().min(1).max(255),
        preferredEncrypt: z.boolean().optional(),
        direction: z.enum(['sendrecv', 'sendonly', 'recvonly', 'inactive']).optional(),
      }),
    )
    .max(100)
    .optional(),
})

const rtpParameters = z.object({
  mid: text(32).optional(),
  codecs: z
    .array(z.object({ ...codec, payloadType }))
    .min(1)
    .max(50),
  headerExtensions: z
    .array(
      z.object({
        uri: text(200).refine(uri => URIS.has(uri), 'is not known'),
        id: z.int().min(1).max(255),
        encrypt: z.boolean().optional(),
        parameters: parameters.optional(),
      }),
    )
    .max(50)
    .optional(),
  encodings: z
    .array(
      z.object({
        ssrc: uint32.optional(),
        rid: text(32).optional(),
        codecPayloadType: payloadType.optional(),
        rtx: z.object({ ssrc: uint32 }).optional(),
        dtx: z.boolean().optional(),
        scalabilityMode: text(32).optional(),
        maxBitrate: uint32.optional(),
      }),
    )
    .min(1)
    .max(8),
  rtcp: z.object({ cname: text(255).optional(), reducedSize: z.boolean().optional() }).optional(),
})

/** Checks what a client says it can decode. Throws BAD_USER_INPUT, naming what is wrong. */
export function parseRtpCapabilities(given: MediaJson): types.RtpCapabilities {
  return parse('rtpCapabilities', rtpCapabilities, given) as types.RtpCapabilities
}

/** Checks how a client says it sends. Throws BAD_USER_INPUT, naming what is wrong. */
export function parseRtpParameters(given: MediaJson): types.RtpParameters {
  return parse('rtpParameters', rtpParameters, given) as types.RtpParameters
}

/** Checks the kind of a track. Throws BAD_USER_INPUT. */
export function parseKind(given: unknown): types.MediaKind {
  return parse('kind', kind, given)
}

function parse<T>(name: string, schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = [name, ...(issue?.path ?? [])].join('.')
  throw new AppError('BAD_USER_INPUT', `${path.slice(0, 200)}: ${issue?.message ?? 'cannot be used'}`)
}
