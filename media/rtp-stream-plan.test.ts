import { expect, it } from 'vitest'
import type { RtpIngestRequest } from '../subgraphs/shared/media-port.ts'
import { planRtpStreams, rtpParametersOf } from './rtp-stream-plan.ts'

const request: RtpIngestRequest = { kind: 'RTP', video: { codec: 'H264' }, audio: { codec: 'OPUS' } }

it('chooses what a request leaves open', () => {
  const [video, audio] = planRtpStreams(request)
  expect(video).toMatchObject({
    kind: 'video',
    payloadType: 102,
    profileLevelId: '42e01f',
    rtcpMux: false,
    srtp: null,
  })
  expect(audio).toMatchObject({ kind: 'audio', payloadType: 111, profileLevelId: null })
  expect(video?.ssrc).not.toBe(audio?.ssrc)
})

it('takes what a request says, and the rest from the source that it replaces', () => {
  const srtp = { cryptoSuite: 'AEAD_AES_128_GCM' } as const
  const former = planRtpStreams({ ...request, srtp })
  expect(planRtpStreams({ ...request, srtp }, former)).toEqual(former)
  const [video] = planRtpStreams({ ...request, video: { codec: 'H264', payloadType: 120 } }, former)
  expect(video).toEqual({ ...former[0], payloadType: 120, srtp: null })
  const [other] = planRtpStreams({ ...request, video: { codec: 'VP8' } }, former)
  expect(other?.ssrc).not.toBe(former[0]?.ssrc)
})

it('makes a key as long as the suite wants', () => {
  const lengths = (['AEAD_AES_256_GCM', 'AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_80'] as const).map(
    cryptoSuite => {
      const [video] = planRtpStreams({ ...request, srtp: { cryptoSuite } })
      return Buffer.from(video?.srtp?.key ?? '', 'base64').length
    },
  )
  expect(lengths).toEqual([44, 28, 30])
})

it('describes a stream as a worker wants it', () => {
  const [video] = planRtpStreams({ ...request, video: { codec: 'H264', ssrc: 7, profileLevelId: '4D001F' } })
  if (video === undefined) throw new TypeError('Expected a video stream')
  expect(rtpParametersOf(video)).toMatchObject({
    codecs: [
      { mimeType: 'video/H264', parameters: { 'profile-level-id': '4d001f', 'packetization-mode': 1 } },
    ],
    encodings: [{ ssrc: 7 }],
  })
})
