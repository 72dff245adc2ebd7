import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaJson } from '../subgraphs/shared/media-port.ts'
import { createRandom } from '../subgraphs/shared/testkit/random.ts'
import { clientRtpCapabilities, makeDtlsParameters } from './testing/client-parameters.ts'
import { hasMediaWorker, startTestMedia, type TestMedia } from './testing/start-test-media.ts'

const ROUNDS = 400

const RTP_PARAMETERS = {
  mid: '0',
  codecs: [
    {
      mimeType: 'video/VP8',
      payloadType: 96,
      clockRate: 90_000,
      parameters: { 'x-google-start-bitrate': 1000 },
      rtcpFeedback: [{ type: 'nack', parameter: 'pli' }],
    },
    { mimeType: 'video/rtx', payloadType: 97, clockRate: 90_000, parameters: { apt: 96 }, rtcpFeedback: [] },
  ],
  headerExtensions: [{ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1, encrypt: false, parameters: {} }],
  encodings: [{ ssrc: 1111, rtx: { ssrc: 2222 }, scalabilityMode: 'L1T3', maxBitrate: 500_000 }],
  rtcp: { cname: 'x', reducedSize: true },
}

const STRANGE = [
  null,
  -1,
  0,
  1e308,
  300,
  2 ** 32,
  1.5,
  '',
  'x'.repeat(5_000),
  true,
  [],
  {},
  [[]],
  '__proto__',
]

describe.skipIf(!hasMediaWorker)('parameters of a hostile client', () => {
  let test: TestMedia

  beforeAll(async () => {
    test = await startTestMedia()
    await test.media.openBroadcast({
      deviceId: 'rtp',
      broadcastId: 'rtp',
      ingest: { kind: 'RTP', video: { codec: 'VP8' }, audio: null },
    })
    await test.media.openBroadcast({ deviceId: 'web', broadcastId: 'web', ingest: { kind: 'WEBRTC' } })
  })
  afterAll(async () => {
    await test?.[Symbol.asyncDispose]()
  })

  it('are answered with typed errors, leave nothing behind, and the worker lives', async () => {
    const random = createRandom(Number(process.env.NUVION_TEST_SEED ?? 1))
    const { media } = test
    const before = await media.count()
    const codes = new Map<string, number>()
    const note = async (work: Promise<unknown>) => {
      const code = await work.then(
        () => 'fine',
        error => (error instanceof AppError ? error.code : String(error)),
      )
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    for (let round = 0; round < ROUNDS; round++) {
      const [viewer, publisher] = [`viewer-${round}`, `publisher-${round}`]
      await media.join({ deviceId: 'rtp', sessionId: viewer })
      await media.publish({ deviceId: 'web', sessionId: publisher })
      const mangled = (value: MediaJson) => mangle(structuredClone(value), random)
      await note(media.connect({ sessionId: viewer, dtlsParameters: mangled(makeDtlsParameters()) }))
      const rtpCapabilities = mangled(clientRtpCapabilities(['video/VP8', 'video/H264']))
      await note(media.consume({ sessionId: viewer, rtpCapabilities }))
      await note(
        media.produce({ sessionId: publisher, kind: 'video', rtpParameters: mangled(RTP_PARAMETERS) }),
      )
      await media.leave({ sessionId: viewer })
      await media.leave({ sessionId: publisher })
    }
    expect(await media.count()).toEqual(before)
    expect([...codes.keys()].sort()).toEqual(['BAD_USER_INPUT', 'fine'])
    expect(codes.get('BAD_USER_INPUT')).toBeGreaterThan(ROUNDS / 10)
  })
})

/** Puts something strange in a place or two of a value, or leaves a key out. */
function mangle(value: MediaJson, random: () => number): MediaJson {
  for (let times = random() < 0.5 ? 1 : 2; times > 0; times--) {
    let place = value as Record<string, unknown>
    for (;;) {
      const keys = Object.keys(place)
      const key = keys[Math.floor(random() * keys.length)]
      if (key === undefined) break
      const inner = place[key]
      if (typeof inner === 'object' && inner !== null && random() < 0.75) {
        place = inner as Record<string, unknown>
        continue
      }
      if (random() < 0.2) delete place[key]
      else place[key] = structuredClone(STRANGE[Math.floor(random() * STRANGE.length)])
      break
    }
  }
  return value
}
