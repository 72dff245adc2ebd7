import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { JoinedSession, MediaJson } from '../subgraphs/shared/media-port.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import type { MediaOptions } from './create-media.ts'
import { clientRtpCapabilities, makeDtlsParameters } from './testing/client-parameters.ts'
import { hasMediaWorker, startTestMedia, type TestMedia } from './testing/start-test-media.ts'

describe.skipIf(!hasMediaWorker)('media', () => {
  const open: TestMedia[] = []
  let made = 0

  afterEach(async () => {
    for (const test of open.splice(0)) await test[Symbol.asyncDispose]()
  })

  async function start(options: Partial<MediaOptions> = {}) {
    const test = await startTestMedia(options)
    open.push(test)
    return test
  }

  const VP8 = { kind: 'RTP', video: { codec: 'VP8' }, audio: null } as const
  const H264 = { kind: 'RTP', video: { codec: 'H264' }, audio: null } as const

  async function broadcast(
    { media }: TestMedia,
    ingest: typeof VP8 | typeof H264 | { kind: 'WEBRTC' } = VP8,
  ) {
    const deviceId = `device-${++made}`
    await media.openBroadcast({ deviceId, broadcastId: deviceId, ingest })
    return deviceId
  }
  const makeSession = () => `session-${++made}`

  it('numbers replies and events of a session without gaps', async () => {
    const { media, events, ...test } = await start()
    const deviceId = await broadcast({ media, events, ...test })
    const sessionId = makeSession()
    const seqs: number[] = []
    const note = async (reply: Promise<{ seq: number }>) => seqs.push((await reply).seq)
    await note(media.join({ deviceId, sessionId }))
    await note(media.connect({ sessionId, dtlsParameters: makeDtlsParameters() }))
    await note(media.consume({ sessionId, rtpCapabilities: clientRtpCapabilities(['video/VP8']) }))
    // A restarted camera: the consumers are made anew.
    await media.openBroadcast({ deviceId, broadcastId: 'second', ingest: VP8 })
    const replaced = await waitFor(() => events.find(event => event.type === 'ProducerReplaced'))
    if (replaced.type !== 'ProducerReplaced') throw new TypeError('Expected ProducerReplaced')
    expect(replaced.closedConsumerIds).toHaveLength(1)
    const [offer] = replaced.consumers
    await note(media.resumeConsumer({ sessionId, consumerId: offer?.id ?? '' }))
    const snapshot = await media.snapshotSession({ sessionId })
    expect(snapshot).toMatchObject({ isConnected: false, consumers: [{ id: offer?.id, isPaused: false }] })
    await media.closeBroadcast({ deviceId })
    const told = events.flatMap(event => ('seq' in event && event.sessionId === sessionId ? event.seq : []))
    const all = [...seqs, ...told].sort((a, b) => a - b)
    expect(all).toEqual(all.map((_, at) => at + 1))
    expect(events.slice(-3).map(event => event.type)).toEqual([
      'BroadcastEnded',
      'SessionEnded',
      'BroadcastChanged',
    ])
  })

  it('takes the same DTLS parameters twice, at once and later, and no others', async () => {
    const test = await start()
    const sessionId = makeSession()
    await test.media.join({ deviceId: await broadcast(test), sessionId })
    const dtlsParameters = makeDtlsParameters()
    await Promise.all([1, 2, 3].map(() => test.media.connect({ sessionId, dtlsParameters })))
    await test.media.connect({ sessionId, dtlsParameters })
    await expect(
      test.media.connect({ sessionId, dtlsParameters: makeDtlsParameters(7) }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it.each([
    ['no fingerprints', { role: 'client', fingerprints: [] }],
    ['no parameters at all', {}],
    ['an algorithm that is none', { fingerprints: [{ algorithm: 'md5', value: 'AA' }] }],
    ['a value that is none', { fingerprints: [{ algorithm: 'sha-256', value: 'zz:zz' }] }],
    ['a value of another length', { fingerprints: [{ algorithm: 'sha-256', value: 'AA:BB' }] }],
    ['a role that is none', { ...makeDtlsParameters(), role: 'king' }],
  ])(
    'refuses DTLS parameters with %s; the session can go on with good ones',
    async (_what, dtlsParameters) => {
      const test = await start()
      const sessionId = makeSession()
      await test.media.join({ deviceId: await broadcast(test), sessionId })
      await expect(
        test.media.connect({ sessionId, dtlsParameters: dtlsParameters as MediaJson }),
      ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
      await test.media.connect({ sessionId, dtlsParameters: makeDtlsParameters() })
    },
  )

  it('refuses a client that cannot decode what is sent, naming it, and rubbish', async () => {
    const test = await start()
    const sessionId = makeSession()
    await test.media.join({ deviceId: await broadcast(test, H264), sessionId })
    const others = clientRtpCapabilities(['video/VP8', 'video/H265'])
    await expect(test.media.consume({ sessionId, rtpCapabilities: others })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'The client can decode none of video/H264.',
    })
    for (const rtpCapabilities of [
      {},
      { codecs: 'all' },
      { codecs: [null], headerExtensions: 7 },
    ] as MediaJson[]) {
      await expect(test.media.consume({ sessionId, rtpCapabilities })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringMatching(/^rtpCapabilities\.codecs/),
      })
    }
    const rtpCapabilities = clientRtpCapabilities(['video/H264'])
    expect((await test.media.consume({ sessionId, rtpCapabilities })).consumers).toHaveLength(1)
    const [consumer] = (await test.media.consume({ sessionId, rtpCapabilities })).consumers
    for (const layer of [-1, 1.5, 1e9]) {
      const input = { sessionId, consumerId: consumer?.id ?? '', spatialLayer: layer }
      await expect(test.media.setPreferredLayers(input)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    }
    expect(await test.media.count()).toMatchObject({ transports: 1 })
  })

  it('refuses a publisher that sends H265, nonsense, or into a broadcast of another kind', async () => {
    const test = await start()
    const deviceId = await broadcast(test, { kind: 'WEBRTC' })
    const sessionId = makeSession()
    await test.media.publish({ deviceId, sessionId })
    const h265 = {
      codecs: [{ mimeType: 'video/H265', payloadType: 100, clockRate: 90_000 }],
      encodings: [{ ssrc: 5 }],
    }
    for (const rtpParameters of [h265, {}, { codecs: [] }] as MediaJson[]) {
      await expect(test.media.produce({ sessionId, kind: 'video', rtpParameters })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    }
    const rtp = await broadcast(test)
    await expect(test.media.publish({ deviceId: rtp, sessionId: makeSession() })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const viewer = makeSession()
    await test.media.join({ deviceId, sessionId: viewer })
    await expect(
      test.media.produce({ sessionId: viewer, kind: 'video', rtpParameters: h265 }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('answers NOT_FOUND for what is not there, or not any more', async () => {
    const test = await start()
    const deviceId = await broadcast(test)
    const sessionId = makeSession()
    const notFound = { code: 'NOT_FOUND' }
    await expect(test.media.join({ deviceId: 'nobody', sessionId })).rejects.toMatchObject(notFound)
    await test.media.join({ deviceId, sessionId })
    await expect(test.media.join({ deviceId, sessionId })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(test.media.resumeConsumer({ sessionId, consumerId: 'x' })).rejects.toMatchObject(notFound)
    await test.media.leave({ sessionId, reason: 'RIGHTS_ENDED' })
    await test.media.leave({ sessionId })
    await expect(test.media.restartIce({ sessionId })).rejects.toMatchObject(notFound)
    await expect(test.media.snapshotSession({ sessionId })).rejects.toMatchObject(notFound)
    expect(test.events.at(-1)).toMatchObject({ type: 'SessionEnded', reason: 'RIGHTS_ENDED' })
    expect((await test.media.count()).transports).toBe(0)
  })

  it('leaves no transport of 200 who join and are never heard of again, leave, or come as the broadcast ends', async () => {
    const limits = { connectDeadlineMs: 500 }
    const test = await start({ workerCount: 2, limits: { ...limits, workerCapacity: 50 } })
    const { media } = test
    const deviceId = await broadcast(test)
    const sessions = Array.from({ length: 200 }, makeSession)
    const settled = await Promise.all(
      sessions.map(async (sessionId, at): Promise<JoinedSession> => {
        const joining = media.join({ deviceId, sessionId })
        // A third leaves before its transport is there, a third after.
        if (at % 3 === 0) void media.leave({ sessionId })
        const joined = await joining.catch(() => ({ seq: 0 }) as JoinedSession)
        if (at % 3 === 1) await media.leave({ sessionId })
        return joined
      }),
    )
    expect(settled.filter(({ seq }) => seq > 0)).toHaveLength(133)
    await waitFor(async () => (await media.count()).transports === 0, { deadlineMs: 10_000 })
    const late = sessions.slice(0, 50).map(sessionId => media.join({ deviceId, sessionId }))
    await media.closeBroadcast({ deviceId })
    await Promise.allSettled(late)
    expect(await media.count()).toMatchObject({ transports: 0, routers: 0 })
    const metrics = await test.metrics.metrics()
    expect(metrics).toMatch(/nuvion_media_sessions\{[^}]*role="viewer"[^}]*\} 0/)
    expect(metrics).toMatch(/nuvion_media_session_ends_total\{reason="NEVER_CONNECTED"[^}]*\} 66/)
  })

  it('leaves neither routers nor ports when broadcasts end while they open', async () => {
    const { media, metrics } = await start()
    const devices = Array.from({ length: 20 }, () => `device-${++made}`)
    const opening = Promise.allSettled(
      devices.map(deviceId => media.openBroadcast({ deviceId, broadcastId: deviceId, ingest: VP8 })),
    )
    for (const [at, deviceId] of devices.entries()) {
      // Each at another moment of its opening.
      for (let turn = 0; turn < at; turn++) await new Promise(resolve => setImmediate(resolve))
      await media.closeBroadcast({ deviceId })
    }
    await opening
    for (const deviceId of devices) await media.closeBroadcast({ deviceId })
    await waitFor(async () => (await media.count()).routers === 0)
    expect(await metrics.getSingleMetricAsString('nuvion_media_ports_in_use')).toMatch(/ 0$/)
  })

  it('refuses more than its bounds, and takes the next when one has left', async () => {
    const test = await start({ limits: { maxSessionsPerRoom: 2, maxSessions: 3, maxRooms: 2 } })
    const [first, second] = [await broadcast(test), await broadcast(test)]
    await expect(broadcast(test)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const sessions = [makeSession(), makeSession()]
    for (const sessionId of sessions) await test.media.join({ deviceId: first, sessionId })
    const join = (deviceId: string) => test.media.join({ deviceId, sessionId: makeSession() })
    await expect(join(first)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await join(second)
    await expect(join(second)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await test.media.leave({ sessionId: sessions[0] ?? '' })
    await join(first)
  })

  it('refuses a broadcast when all ports are taken, and opens it when one is given back', async () => {
    const test = await start({ ports: await findFreeBlock(3) })
    const deviceId = await broadcast(test)
    await expect(broadcast(test)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^All 2 media ports .*NUVION_MEDIA_PORTS/),
    })
    expect((await test.media.count()).routers).toBe(1)
    await test.media.closeBroadcast({ deviceId })
    await broadcast(test)
  })

  it('takes other ports where another program has some', async () => {
    const ports = await findFreeBlock(7)
    const test = await start({ ports })
    const other = createSocket('udp4').bind(ports.first + 1, '127.0.0.1')
    await once(other, 'listening')
    await broadcast(test)
    other.close()
    expect(await test.metrics.getSingleMetricAsString('nuvion_media_ports_in_use')).toMatch(/ 2$/)
  })

  it('does not start with an address that this machine has not, nor on ports that are taken', async () => {
    await expect(start({ listen: ['192.0.2.1'] })).rejects.toThrow(/NUVION_MEDIA_LISTEN: .*192\.0\.2\.1/)
    const { media } = await start()
    await expect(start({ ports: media.ports })).rejects.toThrow(
      /NUVION_MEDIA_PORTS: a port from \d+ on is in use/,
    )
    // Without a block of its own it takes another one.
    expect((await start()).media.ports.first).not.toBe(media.ports.first)
  })

  it('tells clients the announced address, IPv6 and TCP, and credentials for TURN', async () => {
    const urls = ['turn:turn.example.com:3478']
    const test = await start({
      listen: ['127.0.0.1', '::1'],
      announced: ['203.0.113.7', '2001:db8::7'],
      turn: { urls, secret: 'north' },
    })
    const deviceId = await broadcast(test)
    const joined = await test.media.join({ deviceId, sessionId: makeSession() })
    const told = joined.transport.iceCandidates.map(({ protocol, address }) => `${protocol} ${address}`)
    expect(told.sort()).toEqual(['tcp 2001:db8::7', 'tcp 203.0.113.7', 'udp 2001:db8::7', 'udp 203.0.113.7'])
    expect(joined.iceServers).toMatchObject([{ urls, username: expect.stringMatching(/^\d+:session/) }])
    const { iceParameters, seq } = await test.media.restartIce({ sessionId: joined.sessionId })
    expect(iceParameters).not.toEqual(joined.transport.iceParameters)
    expect(seq).toBe(2)
  })

  it('ends a broadcast that nobody has sent into for long', async () => {
    const test = await start({ limits: { abandonAfterMs: 300, silenceMs: 100, pollMs: 50 } })
    const deviceId = await broadcast(test)
    await waitFor(async () => (await test.media.findBroadcast({ deviceId })) === null)
    expect(test.events.at(-1)).toMatchObject({
      type: 'BroadcastChanged',
      broadcast: { status: 'ENDED', problem: { code: 'SILENCE' } },
    })
  })

  it('starts who listens with what is there', async () => {
    const test = await start()
    const deviceId = await broadcast(test)
    const sessionId = makeSession()
    await test.media.join({ deviceId, sessionId })
    const heard: unknown[] = []
    const stop = test.media.listen(event => heard.push(event))
    expect(heard).toMatchObject([
      { type: 'Snapshot', broadcasts: [{ deviceId, viewerCount: 1 }], sessions: [{ sessionId, deviceId }] },
    ])
    stop()
    await test.media.leave({ sessionId })
    expect(heard).toHaveLength(1)
  })

  /** A block of ports that are free now. */
  async function findFreeBlock(size: number) {
    const { media } = await startTestMedia()
    const { last } = media.ports
    await media[Symbol.asyncDispose]()
    return { first: last - size + 1, last }
  }
})
