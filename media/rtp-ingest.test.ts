import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BroadcastState, Ingest, RtpIngestRequest } from '../subgraphs/shared/media-port.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { type Camera, type CameraFaults, hasFfmpeg, startCamera } from './testing/ffmpeg-camera.ts'
import { startRawCamera } from './testing/raw-camera.ts'
import { hasMediaWorker, startTestMedia, type TestMedia } from './testing/start-test-media.ts'

describe.skipIf(!hasMediaWorker || !hasFfmpeg)('a device that sends RTP', () => {
  let test: TestMedia
  const cameras: Camera[] = []
  let devices = 0

  beforeAll(async () => {
    test = await startTestMedia()
  })
  afterEach(async () => {
    await Promise.all(cameras.splice(0).map(camera => camera.kill()))
  })
  afterAll(async () => {
    await test?.[Symbol.asyncDispose]()
  })

  const VP8 = { kind: 'RTP', video: { codec: 'VP8' }, audio: null } as const
  const H264 = { kind: 'RTP', video: { codec: 'H264' }, audio: null } as const

  async function open(ingest: RtpIngestRequest, deviceId = `device-${++devices}`) {
    const opened = await test.media.openBroadcast({ deviceId, broadcastId: `${deviceId}-broadcast`, ingest })
    return { deviceId, ingest: opened.ingest }
  }

  function film(ingest: Ingest, faults?: CameraFaults): Camera {
    const camera = startCamera(ingest, faults)
    cameras.push(camera)
    return camera
  }

  /** Waits for a state of a broadcast, and answers it with how long that took. */
  async function until(deviceId: string, is: (state: BroadcastState) => unknown, what: string) {
    const startedAt = Date.now()
    const state = await waitFor(
      async () => {
        const now = await test.media.findBroadcast({ deviceId })
        return now !== null && is(now) ? now : null
      },
      { deadlineMs: 15_000, what },
    )
    return { state, tookMs: Date.now() - startedAt }
  }
  const untilLive = (deviceId: string) => until(deviceId, state => state.status === 'LIVE', 'LIVE')
  const untilProblem = (deviceId: string, code: string) =>
    until(deviceId, state => state.problem?.code === code, code)

  it.each([
    ['VP8', VP8],
    ['H264 and Opus', { ...H264, audio: { codec: 'OPUS' } }],
    ['VP8 with RTCP on the port of RTP', { ...VP8, rtcpMux: true }],
    ['VP8 over SRTP', { ...VP8, srtp: { cryptoSuite: 'AES_CM_128_HMAC_SHA1_80' } }],
    ['Opus alone', { kind: 'RTP', video: null, audio: { codec: 'OPUS' } }],
  ] as [string, RtpIngestRequest][])('is live with %s, at no loss', async (_name, request) => {
    const { deviceId, ingest } = await open(request)
    expect((await test.media.findBroadcast({ deviceId }))?.status).toBe('STARTING')
    film(ingest)
    await untilLive(deviceId)
    const { state } = await until(
      deviceId,
      ({ stats }) => stats !== null && stats.bitrateKbps > 20,
      'a bitrate',
    )
    expect(state).toMatchObject({ status: 'LIVE', problem: null, stats: { packetLoss: 0, score: 10 } })
    await test.media.closeBroadcast({ deviceId })
    expect(await test.media.findBroadcast({ deviceId })).toBeNull()
  })

  it('is told within 3 s of nothing coming', async () => {
    const { deviceId } = await open(VP8)
    const { state, tookMs } = await untilProblem(deviceId, 'SILENCE')
    expect(state.status).toBe('STARTING')
    expect(state.problem?.message).toMatch(/Nothing has come to port \d+/)
    expect(tookMs).toBeLessThan(3_000)
  })

  it.each([
    ['SSRC_MISMATCH', VP8, { ssrc: 4711 }, /SSRC \d+ was expected, 4711 came/],
    ['PAYLOAD_TYPE_MISMATCH', VP8, { payloadType: 99 }, /Payload type 96 was expected, 99 came/],
    [
      'SRTP_MISMATCH',
      { ...VP8, srtp: { cryptoSuite: 'AES_CM_128_HMAC_SHA1_80' } },
      { srtpKey: Buffer.alloc(30, 7).toString('base64') },
      /cannot be decrypted/,
    ],
    [
      'PROFILE_MISMATCH',
      H264,
      { profile: 'high' },
      /constrained baseline \(42e01f\) was agreed, high \(6400/,
    ],
  ] as [string, RtpIngestRequest, CameraFaults, RegExp][])(
    'is told within 3 s of a %s, and is well once that is mended',
    async (code, request, faults, message) => {
      const raw = await open(request)
      const rawCamera = startRawCamera(raw.ingest, faults)
      const told = await untilProblem(raw.deviceId, code)
      await rawCamera.kill()
      expect(told.state.problem?.message).toMatch(message)
      expect(told.tookMs).toBeLessThan(3_000)

      const { deviceId, ingest } = await open(request)
      const camera = film(ingest, faults)
      const { state } = await untilProblem(deviceId, code)
      expect(state.problem?.message).toMatch(message)
      await camera.kill()
      film(ingest)
      await until(deviceId, now => now.status === 'LIVE' && now.problem === null, 'LIVE without a problem')
    },
  )

  it('is STALLED, never LIVE, within 3 s of a profile that was not agreed, and LIVE once the agreed one comes', async () => {
    const { deviceId, ingest } = await open({ ...H264, audio: { codec: 'OPUS' } })
    const statuses: string[] = []
    const stop = test.media.listen(event => {
      if (event.type === 'BroadcastChanged' && event.broadcast.deviceId === deviceId)
        statuses.push(event.broadcast.status)
    })
    const camera = film(ingest, { profile: 'high' })
    const { tookMs } = await until(deviceId, now => now.status === 'STALLED', 'STALLED')
    expect(tookMs).toBeLessThan(3_000)
    const { state } = await until(deviceId, ({ stats }) => (stats?.bitrateKbps ?? 0) > 20, 'a bitrate')
    expect(state).toMatchObject({ status: 'STALLED', problem: { code: 'PROFILE_MISMATCH', kind: 'video' } })
    expect(statuses).not.toContain('LIVE')
    await camera.kill()
    film(ingest)
    const { state: well } = await untilLive(deviceId)
    expect(well.problem).toBeNull()
    stop()
  })

  it('is LIVE again within 3 s when the agreed profile comes from the very port of the wrong one', async () => {
    const { deviceId, ingest } = await open(H264)
    const camera = startRawCamera(ingest)
    await until(deviceId, now => now.status === 'STALLED', 'STALLED')
    camera.setProfile('baseline')
    const { state, tookMs } = await untilLive(deviceId)
    await camera.kill()
    expect(state.problem).toBeNull()
    expect(tookMs).toBeLessThan(3_000)
  })

  it('stalls when it falls silent, and is live again from another port', async () => {
    const { deviceId, ingest } = await open(VP8)
    const camera = film(ingest)
    await untilLive(deviceId)
    await camera.kill()
    const { state, tookMs } = await until(deviceId, now => now.status === 'STALLED', 'STALLED')
    expect(state.problem?.code).toBe('SILENCE')
    expect(tookMs).toBeLessThan(3_500)
    film(ingest)
    await untilLive(deviceId)
  })

  it('is heard again when it restarts at once, from another port', async () => {
    const { deviceId, ingest } = await open(VP8)
    const camera = film(ingest)
    await untilLive(deviceId)
    const count = () => test.metrics.getSingleMetricAsString('nuvion_media_source_replacements_total')
    const before = await count()
    await camera.kill()
    film(ingest)
    await waitFor(async () => (await count()) !== before, { what: 'another source', deadlineMs: 10_000 })
    await untilLive(deviceId)
  })

  it('keeps its ports and SSRC when it asks again', async () => {
    const first = await open({ ...H264, audio: { codec: 'OPUS' } })
    const again = await open({ ...H264, audio: { codec: 'OPUS' } }, first.deviceId)
    expect(again.ingest).toEqual(first.ingest)
    film(again.ingest)
    await untilLive(first.deviceId)
  })

  it.each([
    [{ kind: 'RTP', video: null, audio: null }, /needs a video or an audio/],
    [{ kind: 'RTP', video: { codec: 'H265' }, audio: null }, /H265 cannot be sent as video: VP8 or H264/],
    [{ kind: 'RTP', video: { codec: 'VP8', ssrc: 1234 }, audio: null }, /SSRC 1234/],
    [{ kind: 'RTP', video: { codec: 'VP8', payloadType: 8 }, audio: null }, /payload type 8/],
    [
      { kind: 'RTP', video: { codec: 'H264', profileLevelId: 'f4001f' }, audio: null },
      /f4001f cannot be carried/,
    ],
    [{ kind: 'SMOKE' }, /not known/],
  ])('is refused %j, and leaves nothing behind', async (ingest, message) => {
    const before = await test.media.count()
    const opening = open(ingest as never)
    await expect(opening).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(message),
    })
    expect(await test.media.count()).toEqual(before)
  })
})
