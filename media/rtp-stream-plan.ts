import { randomBytes, randomInt } from 'node:crypto'
import type { types } from 'mediasoup'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { RtpIngestRequest, RtpStreamRequest, SrtpCryptoSuite } from '../subgraphs/shared/media-port.ts'
import { profileOf } from './h264-profile.ts'
import { H264_PROFILES } from './router-codecs.ts'

/** One RTP stream as agreed with a device. */
export interface RtpStreamPlan {
  readonly kind: 'video' | 'audio'
  readonly codec: 'VP8' | 'H264' | 'OPUS'
  readonly payloadType: number
  readonly ssrc: number
  /** H264 alone. */
  readonly profileLevelId: string | null
  readonly rtcpMux: boolean
  readonly srtp: { readonly cryptoSuite: SrtpCryptoSuite; readonly key: string } | null
}

/** The SSRC of mediasoup's bandwidth probes: what carries it is dropped on its way to viewers. */
const PROBE_SSRC = 1234

const DEFAULT_PROFILE = '42e01f'
const DEFAULT_PAYLOAD_TYPES = { VP8: 96, H264: 102, OPUS: 111 } as const

/** Bytes of master key and salt (RFC 3711 §8.2, RFC 7714 §12). */
const KEY_BYTES: Record<SrtpCryptoSuite, number> = {
  AEAD_AES_256_GCM: 44,
  AEAD_AES_128_GCM: 28,
  AES_CM_128_HMAC_SHA1_80: 30,
  AES_CM_128_HMAC_SHA1_32: 30,
}

/**
 * Plans the streams of a request: what it leaves open is as in `former` (the plans of the source that is replaced), else
 * chosen. Throws BAD_USER_INPUT that says what cannot be used.
 */
export function planRtpStreams(
  request: RtpIngestRequest,
  former: readonly RtpStreamPlan[] = [],
): readonly RtpStreamPlan[] {
  const { video, audio } = request
  const plans = [
    ...(video === null ? [] : [planStream('video', video, request, former)]),
    ...(audio === null ? [] : [planStream('audio', audio, request, former)]),
  ]
  if (plans.length === 0) throw refuse('A broadcast needs a video or an audio stream.')
  return plans
}

function planStream(
  kind: 'video' | 'audio',
  stream: RtpStreamRequest<'VP8' | 'H264' | 'OPUS'>,
  { rtcpMux = false, srtp = null }: RtpIngestRequest,
  former: readonly RtpStreamPlan[],
): RtpStreamPlan {
  const { codec } = stream
  const codecs = kind === 'video' ? ['VP8', 'H264'] : ['OPUS']
  if (!codecs.includes(codec)) throw refuse(`${codec} cannot be sent as ${kind}: ${codecs.join(' or ')} can.`)
  const like = former.find(plan => plan.kind === kind && plan.codec === codec)
  const { payloadType = like?.payloadType ?? DEFAULT_PAYLOAD_TYPES[codec], ssrc = like?.ssrc ?? makeSsrc() } =
    stream
  if (!Number.isInteger(payloadType) || payloadType < 96 || payloadType > 127)
    throw refuse(`The payload type ${payloadType} is not between 96 and 127.`)
  if (!Number.isInteger(ssrc) || ssrc < 1 || ssrc > 0xffffffff)
    throw refuse(`The SSRC ${ssrc} is not between 1 and 4294967295.`)
  if (ssrc === PROBE_SSRC) throw refuse(`The SSRC ${PROBE_SSRC} is taken by the bandwidth estimation.`)
  const profileLevelId = (stream.profileLevelId ?? like?.profileLevelId ?? DEFAULT_PROFILE).toLowerCase()
  if (codec === 'H264' && !/^[0-9a-f]{6}$/.test(profileLevelId))
    throw refuse(`The profile-level-id ${profileLevelId} is not six hexadecimal digits.`)
  if (codec === 'H264' && !H264_PROFILES.some(known => profileOf(known) === profileOf(profileLevelId)))
    throw refuse(
      `H264 of the profile-level-id ${profileLevelId} cannot be carried: ${H264_PROFILES.join(', ')} can.`,
    )
  if (srtp !== null && !Object.hasOwn(KEY_BYTES, srtp.cryptoSuite))
    throw refuse(`The SRTP crypto suite ${srtp.cryptoSuite} is not known.`)
  const isSameSuite = like?.srtp != null && like.srtp.cryptoSuite === srtp?.cryptoSuite
  return {
    kind,
    codec,
    payloadType,
    ssrc,
    profileLevelId: codec === 'H264' ? profileLevelId : null,
    rtcpMux: rtcpMux === true,
    srtp: srtp === null ? null : isSameSuite ? (like?.srtp ?? null) : makeKey(srtp.cryptoSuite),
  }
}

/** The RTP parameters by which a worker knows the stream. */
export function rtpParametersOf({
  codec,
  payloadType,
  ssrc,
  profileLevelId,
}: RtpStreamPlan): types.RtpParameters {
  const encodings = [{ ssrc }]
  if (codec === 'OPUS') {
    const opus = { mimeType: 'audio/opus', payloadType, clockRate: 48_000, channels: 2 }
    return { codecs: [opus], encodings }
  }
  const rtcpFeedback = [
    { type: 'nack' },
    { type: 'nack', parameter: 'pli' },
    { type: 'ccm', parameter: 'fir' },
  ]
  const parameters =
    profileLevelId === null
      ? {}
      : { 'packetization-mode': 1, 'profile-level-id': profileLevelId, 'level-asymmetry-allowed': 1 }
  const video = { mimeType: `video/${codec}`, payloadType, clockRate: 90_000, parameters, rtcpFeedback }
  return { codecs: [video], encodings }
}

function makeSsrc(): number {
  const ssrc = randomInt(1, 0xffffffff)
  return ssrc === PROBE_SSRC ? makeSsrc() : ssrc
}

function makeKey(cryptoSuite: SrtpCryptoSuite) {
  return { cryptoSuite, key: randomBytes(KEY_BYTES[cryptoSuite]).toString('base64') }
}

function refuse(message: string): AppError {
  return new AppError('BAD_USER_INPUT', message)
}
