import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RtpIngestRequest } from '../subgraphs/shared/media-port.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { type Camera, hasFfmpeg, startCamera } from './testing/ffmpeg-camera.ts'
import { hasChromium, startBrowser, type TestBrowser, type TestPage } from './testing/start-browser.ts'
import { hasMediaWorker, startTestMedia, type TestMedia } from './testing/start-test-media.ts'

describe.skipIf(!hasMediaWorker || !hasFfmpeg || !hasChromium)('viewers in a browser', () => {
  let test: TestMedia
  let browser: TestBrowser
  let page: TestPage
  const cameras: Camera[] = []
  let made = 0

  beforeAll(async () => {
    test = await startTestMedia({ workerCount: 2, limits: { workerCapacity: 10 } })
    browser = await startBrowser(test.media)
    page = await browser.openPage()
  })
  afterEach(async () => {
    await Promise.all(cameras.splice(0).map(camera => camera.kill()))
    for (const event of test.events) {
      if (event.type === 'BroadcastChanged') await test.media.closeBroadcast(event.broadcast)
    }
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await test?.[Symbol.asyncDispose]()
  })

  const VP8: RtpIngestRequest = { kind: 'RTP', video: { codec: 'VP8' }, audio: null }
  const H264: RtpIngestRequest = { kind: 'RTP', video: { codec: 'H264' }, audio: { codec: 'OPUS' } }

  async function film(request: RtpIngestRequest) {
    const deviceId = `device-${++made}`
    const { ingest } = await test.media.openBroadcast({ deviceId, broadcastId: deviceId, ingest: request })
    const start = () => {
      const camera = startCamera(ingest)
      cameras.push(camera)
      return camera
    }
    return { deviceId, start }
  }
  const makeSession = () => `session-${++made}`

  async function join(deviceId: string, more: { replaces?: string; isTcpOnly?: boolean } = {}, on = page) {
    const sessionId = makeSession()
    await on.join({ deviceId, sessionId, ...more })
    return sessionId
  }

  /** Waits until a session shows a picture and more and more decoded frames. */
  async function sees(sessionId: string, on = page) {
    const shown = await waitFor(
      async () => {
        const sight = await on.look(sessionId)
        return sight !== null && sight.width > 0 && sight.frames > 0 ? sight : null
      },
      { deadlineMs: 20_000, what: `a picture of ${sessionId}` },
    )
    return await waitFor(
      async () => {
        const sight = await on.look(sessionId)
        return sight !== null && sight.frames > shown.frames + 5 ? sight : null
      },
      { deadlineMs: 20_000, what: `more frames of ${sessionId}` },
    )
  }

  /** Process of the worker that has a room: viewers are told its port. */
  async function findWorkerOf(deviceId: string): Promise<number> {
    const sessionId = makeSession()
    const { transport } = await test.media.join({ deviceId, sessionId })
    await test.media.leave({ sessionId })
    const { workers } = await test.media.count()
    const pid = workers.find(worker => worker.port === transport.iceCandidates[0]?.port)?.pid
    if (pid === undefined) throw new Error('No worker has the port that viewers are told')
    return pid
  }

  it.each([
    ['VP8', VP8],
    ['H264 and Opus', H264],
  ])('see %s, also who comes late', async (_name, request) => {
    const { deviceId, start } = await film(request)
    start()
    const first = await join(deviceId)
    expect(await sees(first)).toMatchObject({ width: 320, protocol: 'udp' })
    const late = await join(deviceId)
    const sight = await sees(late)
    if (request.audio !== null) expect(sight.audioPackets).toBeGreaterThan(0)
    expect((await test.media.findBroadcast({ deviceId }))?.viewerCount).toBe(2)
  })

  it('see over TCP alone', async () => {
    const { deviceId, start } = await film(VP8)
    start()
    expect(await sees(await join(deviceId, { isTcpOnly: true }))).toMatchObject({ protocol: 'tcp' })
  })

  it('go on without joining again when the camera restarts, at once and after a silence', async () => {
    const { deviceId, start } = await film(H264)
    const camera = start()
    const sessionId = await join(deviceId)
    await sees(sessionId)
    await camera.kill()
    const second = start()
    await waitFor(() => test.events.some(e => e.type === 'ProducerReplaced' && e.sessionId === sessionId), {
      deadlineMs: 10_000,
    })
    await sees(sessionId)
    await second.kill()
    await waitFor(async () => (await test.media.findBroadcast({ deviceId }))?.status === 'STALLED', {
      deadlineMs: 10_000,
    })
    start()
    await sees(sessionId)
    expect(test.events.some(e => e.type === 'SessionEnded' && e.sessionId === sessionId)).toBe(false)
  })

  it('go on after an ICE restart', async () => {
    const { deviceId, start } = await film(VP8)
    start()
    const sessionId = await join(deviceId)
    await sees(sessionId)
    await page.restartIce(sessionId)
    await sees(sessionId)
  })

  it('who join again replace their former session', async () => {
    const { deviceId, start } = await film(VP8)
    start()
    const first = await join(deviceId)
    await sees(first)
    const second = await join(deviceId, { replaces: first })
    await sees(second)
    expect(test.events).toContainEqual(
      expect.objectContaining({ type: 'SessionEnded', sessionId: first, reason: 'REPLACED' }),
    )
    expect((await test.media.findBroadcast({ deviceId }))?.viewerCount).toBe(1)
  })

  it('spread over both workers, and leave one again', async () => {
    const { deviceId, start } = await film(VP8)
    start()
    const sessions = await Promise.all(Array.from({ length: 20 }, () => join(deviceId)))
    for (const sessionId of sessions) await sees(sessionId)
    expect((await test.media.count()).routers).toBe(2)
    for (const sessionId of sessions) await test.media.leave({ sessionId })
    await waitFor(async () => (await test.media.count()).routers === 1)
    expect((await test.media.count()).transports).toBe(0)
  })

  it('are told when their worker dies, and see again once they have joined again', async () => {
    const { deviceId, start } = await film(VP8)
    const other = await film(VP8)
    start()
    other.start()
    const sessionId = await join(deviceId)
    const unharmed = await join(other.deviceId)
    await sees(sessionId)
    await sees(unharmed)
    process.kill(await findWorkerOf(deviceId), 'SIGKILL')
    const ended = await waitFor(
      () => test.events.find(e => e.type === 'SessionEnded' && e.sessionId === sessionId),
      { deadlineMs: 5_000, what: 'the end of the session' },
    )
    expect(ended).toMatchObject({ reason: 'WORKER_DIED' })
    await waitFor(async () => (await test.media.findBroadcast({ deviceId }))?.status === 'LIVE', {
      deadlineMs: 10_000,
      what: 'LIVE again',
    })
    await sees(await join(deviceId))
    await sees(unharmed)
    expect(test.events.some(e => e.type === 'SessionEnded' && e.sessionId === unharmed)).toBe(false)
    expect((await test.media.count()).workers).toHaveLength(2)
  })

  it('see what another browser publishes, and go on with the next publisher', async () => {
    const deviceId = `device-${++made}`
    await test.media.openBroadcast({ deviceId, broadcastId: deviceId, ingest: { kind: 'WEBRTC' } })
    const early = await join(deviceId)
    const phone = await browser.openPage()
    await phone.publish({ deviceId, sessionId: makeSession() })
    await sees(early)
    const sessionId = await join(deviceId)
    expect((await sees(sessionId)).audioPackets).toBeGreaterThan(0)
    await waitFor(async () => (await test.media.findBroadcast({ deviceId }))?.status === 'LIVE')
    await phone.close()
    await waitFor(async () => (await test.media.findBroadcast({ deviceId }))?.status === 'STALLED', {
      deadlineMs: 20_000,
      what: 'STALLED',
    })
    const second = await browser.openPage()
    await second.publish({ deviceId, sessionId: makeSession(), isSimulcast: true })
    await sees(sessionId)
    await second.close()
  })

  it('see the layers that they prefer of what is sent in several', async () => {
    const deviceId = `device-${++made}`
    await test.media.openBroadcast({ deviceId, broadcastId: deviceId, ingest: { kind: 'WEBRTC' } })
    const phone = await browser.openPage()
    await phone.publish({ deviceId, sessionId: makeSession(), isSimulcast: true })
    const sessionId = await join(deviceId)
    const seesWidth = (width: number) =>
      waitFor(async () => (await page.look(sessionId))?.width === width, {
        deadlineMs: 20_000,
        what: `a width of ${width}`,
      })
    await seesWidth(640)
    const { consumers } = await test.media.snapshotSession({ sessionId })
    const video = consumers.find(consumer => consumer.kind === 'video')
    expect(video).toMatchObject({ type: 'simulcast', isPaused: false })
    const consumerId = video?.id ?? ''
    await test.media.setPreferredLayers({ sessionId, consumerId, spatialLayer: 0 })
    await seesWidth(320)
    expect(test.events).toContainEqual(
      expect.objectContaining({
        type: 'LayersChanged',
        consumerId,
        layers: expect.objectContaining({ spatialLayer: 0 }),
      }),
    )
    await phone.close()
  })

  it('in another worker go on without joining again when that of the camera dies', async () => {
    await using spread = await startTestMedia({ workerCount: 2, limits: { workerCapacity: 1 } })
    await using own = await startBrowser(spread.media)
    const ownPage = await own.openPage()
    const { media, events } = spread
    const { ingest } = await media.openBroadcast({ deviceId: 'd', broadcastId: 'b', ingest: VP8 })
    cameras.push(startCamera(ingest))
    for (const sessionId of ['home', 'away']) {
      await ownPage.join({ deviceId: 'd', sessionId })
      await sees(sessionId, ownPage)
    }
    const { workers } = await media.count()
    // The first room is in the first worker.
    process.kill(workers.find(worker => worker.port === media.ports.first)?.pid ?? 0, 'SIGKILL')
    await waitFor(() => events.some(e => e.type === 'ProducerReplaced' && e.sessionId === 'away'), {
      deadlineMs: 10_000,
      what: 'ProducerReplaced',
    })
    await sees('away', ownPage)
    const ended = events.flatMap(e => (e.type === 'SessionEnded' ? `${e.sessionId} ${e.reason}` : []))
    expect(ended).toEqual(['home WORKER_DIED'])
  })

  it('who are killed leave no transport behind', async () => {
    const { deviceId, start } = await film(VP8)
    start()
    const doomed = await startBrowser(test.media)
    const doomedPage = await doomed.openPage()
    const sessions = await Promise.all(Array.from({ length: 4 }, () => join(deviceId, {}, doomedPage)))
    for (const sessionId of sessions) await sees(sessionId, doomedPage)
    await doomed.kill()
    await waitFor(async () => (await test.media.count()).transports === 0, {
      deadlineMs: 30_000,
      what: 'the end of all transports',
    })
    const ends = test.events.filter(e => e.type === 'SessionEnded' && sessions.includes(e.sessionId))
    expect(ends.map(e => 'reason' in e && e.reason)).toEqual(Array(4).fill('CONNECTION_LOST'))
  })
})
