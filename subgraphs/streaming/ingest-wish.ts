import type { BroadcastWish, IngestTarget } from '../shared/broadcast-desk.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { Ingest, IngestRequest, RtpIngest } from '../shared/media-port.ts'

const VIDEO_CODECS = ['VP8', 'H264'] as const
const AUDIO_CODEC = 'OPUS'
const MAX_SSRC = 0xffff_ffff
/** The probe of mediasoup's bandwidth estimation. */
const RESERVED_SSRC = 1234

/** Reads what a device wishes. Throws a Refusal that says what there is instead. */
export function readIngestWish(wish: BroadcastWish): IngestRequest {
  const { kind, rtspUrl } = wish
  if (kind === 'WHIP' || kind === 'RTSP')
    refuse('BAD_USER_INPUT', 'kind', `kind ${kind} is not offered yet: use RTP or WEBRTC.`)
  if (rtspUrl != null) refuse('BAD_USER_INPUT', 'rtspUrl', 'rtspUrl belongs to the kind RTSP.')
  if (kind === 'WEBRTC') {
    refuseRtpFields(wish)
    return { kind }
  }
  const video = readVideo(wish)
  const audio = readAudio(wish)
  return {
    kind,
    video,
    audio,
    rtcpMux: wish.rtcpMux ?? false,
    srtp: wish.srtpCryptoSuite == null ? null : { cryptoSuite: wish.srtpCryptoSuite },
  }
}

/** Tells a device where to send. */
export function toIngestTarget(ingest: Ingest): IngestTarget {
  const nothing = {
    codec: null,
    ip: null,
    port: null,
    rtcpPort: null,
    payloadType: null,
    ssrc: null,
    srtp: null,
  }
  if (ingest.kind === 'WEBRTC') return { kind: 'WEBRTC', ...nothing, whipUrl: null, audio: null }
  const { video, audio } = ingest
  const first = video ?? audio
  return {
    kind: 'RTP',
    ...(first === null ? nothing : toStream(first)),
    whipUrl: null,
    audio: video === null || audio === null ? null : toStream(audio),
  }
}

function toStream({ codec, ip, port, rtcpPort, payloadType, ssrc, srtp }: RtpIngest) {
  return { codec: codec.toUpperCase(), ip, port, rtcpPort, payloadType, ssrc, srtp: srtp && { ...srtp } }
}

function readVideo({ codec, audioCodec, payloadType, ssrc, profileLevelId }: BroadcastWish) {
  const name = codec?.toUpperCase() ?? (audioCodec == null ? 'VP8' : undefined)
  if (name === undefined || name === AUDIO_CODEC) {
    const field = [
      ['payloadType', payloadType],
      ['ssrc', ssrc],
      ['profileLevelId', profileLevelId],
    ].find(([, value]) => value != null)?.[0]
    if (typeof field === 'string')
      refuse('BAD_USER_INPUT', field, `${field} is of the picture: there is none.`)
    return null
  }
  const video = VIDEO_CODECS.find(one => one === name)
  if (video === undefined)
    refuse('BAD_USER_INPUT', 'codec', `codec ${name} is not supported: VP8, H264, or OPUS for sound alone.`)
  if (payloadType != null && (payloadType < 96 || payloadType > 127))
    refuse('BAD_USER_INPUT', 'payloadType', 'payloadType is between 96 and 127.')
  if (ssrc != null && (!Number.isInteger(ssrc) || ssrc < 1 || ssrc > MAX_SSRC || ssrc === RESERVED_SSRC))
    refuse('BAD_USER_INPUT', 'ssrc', `ssrc is between 1 and ${MAX_SSRC}, and not ${RESERVED_SSRC}.`)
  if (profileLevelId != null && (video !== 'H264' || !/^[0-9a-f]{6}$/i.test(profileLevelId)))
    refuse('BAD_USER_INPUT', 'profileLevelId', 'profileLevelId is six hexadecimal digits, of H264 alone.')
  return {
    codec: video,
    ...(payloadType != null && { payloadType }),
    ...(ssrc != null && { ssrc }),
    ...(profileLevelId != null && { profileLevelId: profileLevelId.toLowerCase() }),
  }
}

function readAudio({ codec, audioCodec }: BroadcastWish) {
  if (audioCodec != null && audioCodec.toUpperCase() !== AUDIO_CODEC)
    refuse('BAD_USER_INPUT', 'audioCodec', `audioCodec ${audioCodec.slice(0, 16)} is not supported: OPUS.`)
  const isAlone = codec?.toUpperCase() === AUDIO_CODEC
  return audioCodec != null || isAlone ? ({ codec: AUDIO_CODEC } as const) : null
}

function refuseRtpFields(wish: BroadcastWish): void {
  const fields = [
    'codec',
    'audioCodec',
    'payloadType',
    'ssrc',
    'profileLevelId',
    'rtcpMux',
    'srtpCryptoSuite',
  ] as const
  const field = fields.find(name => wish[name] != null)
  if (field !== undefined) refuse('BAD_USER_INPUT', field, `${field} belongs to the kind RTP.`)
}
