import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import { space as spaceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { startLiveReader } from '../shared/live-topic/live-reader.ts'
import { createLogger } from '../shared/logger.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import {
  asUser,
  openStreamingFixture,
  type StreamingFixture,
  type TestSpace,
} from './testing/streaming-fixture.ts'

const ERRORS = 'userErrors { code field message }'
const START = `mutation ($input: StartBroadcastInput!) { startBroadcast(input: $input) {
  broadcast { id status problem { code } viewerCount ingest { kind } device { id } }
  ingest { kind codec ip port rtcpPort payloadType ssrc srtp whipUrl audio } ${ERRORS} } }`
const STOP = `mutation ($input: StopBroadcastInput!) { stopBroadcast(input: $input) { broadcast { status } ${ERRORS} } }`
const JOIN = `mutation ($input: JoinBroadcastInput!) { joinBroadcast(input: $input) { session { id sequence
  routerRtpCapabilities transport { id iceParameters iceCandidates dtlsParameters } iceServers expiresAt } ${ERRORS} } }`
const PUBLISH = `mutation ($input: PublishBroadcastInput!) { publishBroadcast(input: $input) { session { id } ${ERRORS} } }`
const CONNECT = `mutation ($input: ConnectBroadcastInput!) { connectBroadcast(input: $input) { sequence ${ERRORS} } }`
const CONSUME = `mutation ($input: ConsumeBroadcastInput!) { consumeBroadcast(input: $input) {
  consumers { id producerId kind rtpParameters type } sequence ${ERRORS} } }`
const RESUME = `mutation ($input: ConsumerInput!) { resumeConsumer(input: $input) { sequence ${ERRORS} } }`
const LAYERS = `mutation ($input: SetPreferredLayersInput!) { setPreferredLayers(input: $input) { sequence ${ERRORS} } }`
const RESTART = `mutation ($input: RestartIceInput!) { restartIce(input: $input) { iceParameters iceServers sequence ${ERRORS} } }`
const LEAVE = `mutation ($input: LeaveBroadcastInput!) { leaveBroadcast(input: $input) { left ${ERRORS} } }`
const SIGNALING = `subscription ($sessionId: ID!) { signaling(sessionId: $sessionId) { __typename
  ... on SignalingSnapshot { sequence isConnected broadcast { status } consumers { consumer { id } isPaused } }
  ... on BroadcastEnded { sequence }
  ... on SessionEnded { sequence reason } } }`

const fingerprint = (byte: string) => ({ algorithm: 'sha-256', value: Array(32).fill(byte).join(':') })
const dtlsParameters = { role: 'client', fingerprints: [fingerprint('AB')] }

describe.skipIf(!hasMediaWorker)('streaming', () => {
  let database: TestDatabase
  let redis: TestRedis
  let fixture: StreamingFixture
  let space: TestSpace
  let other: TestSpace

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await openTestRedis()
    fixture = await openStreamingFixture(database, redis, { graceMs: 300, renewMs: 100 })
    other = await fixture.addSpace()
  }, 60_000)
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  async function call(viewer: Viewer | null, source: string, input: Record<string, unknown>) {
    const { data, errors } = await fixture.run(viewer, source, { input })
    const payload = data === null ? null : Object.values(data as Record<string, unknown>)[0]
    // biome-ignore lint/suspicious/noExplicitAny: payloads have the shape that the test asked for
    return { payload: payload as any, errors }
  }
  /** What comes of a call: `ok`, the code of its first userError with the field, or of its first error. */
  async function outcome(viewer: Viewer | null, source: string, input: Record<string, unknown>) {
    const { payload, errors } = await call(viewer, source, input)
    if (errors[0] !== undefined) return errors[0].split(' ')[0]
    const [error] = payload.userErrors
    return error === undefined ? 'ok' : `${error.code} ${error.field}`
  }
  async function startSpace(input: Record<string, unknown> = { kind: 'RTP' }) {
    space = await fixture.addSpace()
    const { deviceId, camera } = space
    expect(await outcome(camera, START, { deviceId, ...input })).toBe('ok')
    return space
  }
  async function join({ deviceId, people }: TestSpace, viewer: Viewer = people.VIEWER, more = {}) {
    const { payload, errors } = await call(viewer, JOIN, { deviceId, ...more })
    expect([errors, payload?.userErrors]).toEqual([[], []])
    return payload.session
  }
  // biome-ignore lint/suspicious/noExplicitAny: messages have the shape that the test asked for
  async function take(stream: AsyncGenerator<any>) {
    const { value, done } = await stream.next()
    return done ? undefined : value.data.signaling
  }

  describe('a broadcast', () => {
    it('is started by its device, seen by members, and ended', async () => {
      space = await fixture.addSpace()
      const { spaceId, deviceId, camera, people } = space
      const changes = await fixture.follow(
        people.VIEWER,
        'subscription ($spaceId: ID!) { broadcastChanged(spaceId: $spaceId) { id broadcast { status } } }',
        { spaceId },
      )
      const { payload } = await call(camera, START, {
        deviceId,
        kind: 'RTP',
        codec: 'h264',
        audioCodec: 'OPUS',
      })
      expect(payload.userErrors).toEqual([])
      expect(payload.broadcast).toMatchObject({
        status: 'STARTING',
        ingest: { kind: 'RTP' },
        device: { id: deviceId },
      })
      expect(payload.ingest).toMatchObject({ kind: 'RTP', codec: 'H264', srtp: null, whipUrl: null })
      expect(payload.ingest.port).toBeGreaterThan(0)
      expect(payload.ingest.audio).toMatchObject({ codec: 'OPUS' })
      const list = 'query ($spaceId: ID!) { broadcasts(spaceId: $spaceId) { id } }'
      for (const viewer of [people.VIEWER, people.OWNER])
        expect((await fixture.run(viewer, list, { spaceId })).data.broadcasts).toEqual([
          { id: payload.broadcast.id },
        ])
      expect((await changes.next()).value?.data).toEqual({
        broadcastChanged: { id: deviceId, broadcast: { status: 'STARTING' } },
      })
      expect((await call(camera, STOP, { deviceId })).payload).toEqual({
        broadcast: { status: 'ENDED' },
        userErrors: [],
      })
      expect((await fixture.run(people.VIEWER, list, { spaceId })).data.broadcasts).toEqual([])
      for (;;) {
        const { value } = await changes.next()
        if (JSON.stringify(value?.data).includes('ENDED')) break
      }
      expect(await outcome(camera, STOP, { deviceId })).toBe('ok')
      await changes.return(undefined)
    })

    it('is for its device and OPERATORs to start and stop', async () => {
      space = await fixture.addSpace()
      const { deviceId, people, camera } = space
      const input = { deviceId, kind: 'RTP' }
      for (const source of [START, STOP]) {
        expect(await outcome(null, source, source === START ? input : { deviceId })).toBe('UNAUTHENTICATED')
        const given = source === START ? input : { deviceId }
        expect(await outcome(people.VIEWER, source, given)).toBe('FORBIDDEN')
        for (const stranger of [other.people.OWNER, other.camera, asUser(newId())])
          expect(await outcome(stranger, source, given)).toBe('NOT_FOUND deviceId')
        expect(await outcome(camera, source, { ...given, deviceId: newId() })).toBe('NOT_FOUND deviceId')
        expect(await outcome(people.OWNER, source, { ...given, deviceId: 'x' })).toBe('NOT_FOUND deviceId')
      }
      expect(await outcome(people.OPERATOR, START, input)).toBe('ok')
      expect(await outcome(people.OPERATOR, START, input)).toBe('CONFLICT deviceId')
      expect(await outcome(camera, START, input)).toBe('ok')
      expect(await outcome(people.ADMIN, STOP, { deviceId })).toBe('ok')
    })

    it.each([
      [{ kind: 'RTP', codec: 'H265' }, 'BAD_USER_INPUT codec'],
      [{ kind: 'WHIP' }, 'BAD_USER_INPUT kind'],
      [{ kind: 'RTSP', rtspUrl: 'rtsp://10.0.0.1/' }, 'BAD_USER_INPUT kind'],
      [{ kind: 'RTP', rtspUrl: 'rtsp://10.0.0.1/' }, 'BAD_USER_INPUT rtspUrl'],
      [{ kind: 'RTP', audioCodec: 'AAC' }, 'BAD_USER_INPUT audioCodec'],
      [{ kind: 'RTP', payloadType: 5 }, 'BAD_USER_INPUT payloadType'],
      [{ kind: 'RTP', ssrc: 1234 }, 'BAD_USER_INPUT ssrc'],
      [{ kind: 'RTP', ssrc: 2 ** 33 }, 'BAD_USER_INPUT ssrc'],
      [{ kind: 'RTP', codec: 'H264', profileLevelId: 'zz' }, 'BAD_USER_INPUT profileLevelId'],
      [{ kind: 'WEBRTC', codec: 'VP8' }, 'BAD_USER_INPUT codec'],
    ])('is refused as %j', async (input, expected) => {
      const { deviceId, camera } = await fixture.addSpace()
      expect(await outcome(camera, START, { deviceId, ...input })).toBe(expected)
      expect(await fixture.media.findBroadcast({ deviceId })).toBeNull()
    })

    it('stops when the device may sign in no more, and tables that say otherwise are mended', async () => {
      const { deviceId, spaceId } = await startSpace()
      await fixture.publisher.publish('revocation', [{ kind: 'credential-revoked', deviceId, spaceId }])
      await waitFor(async () => (await fixture.media.findBroadcast({ deviceId })) === null)
      await fixture.past.db.insert(deviceStatus).values({ deviceId: newId(), spaceId, broadcasting: true })
      // Another site's Redis: it hears of none of these broadcasts.
      await using elsewhere = await openTestRedis()
      await using _second = await openStreamingFixture(database, elsewhere)
      await waitFor(async () => {
        const rows = await fixture.past.db
          .select()
          .from(deviceStatus)
          .where(eq(deviceStatus.broadcasting, true))
        return rows.length === 0
      })
    })

    it('stops when its space is deleted, and goes on when anything else of it changes', async () => {
      const gone = await startSpace()
      const kept = await startSpace()
      await fixture.past.db
        .update(spaceTable)
        .set({ deletedAt: new Date() })
        .where(eq(spaceTable.id, gone.spaceId))
      for (const { spaceId } of [kept, gone])
        await fixture.publisher.publish('revocation', [{ kind: 'space-changed', spaceId }])
      await waitFor(async () => (await fixture.media.findBroadcast(gone)) === null)
      expect(await fixture.media.findBroadcast(kept)).not.toBeNull()
    })

    it('is told of once, by one of many processes; another goes on when that is gone', async () => {
      await using elsewhere = await openTestRedis()
      const told: string[] = []
      const tellers = new Set<string>()
      const { deviceId, spaceId } = await fixture.addSpace()
      await using reader = startLiveReader({
        ...{ url: elsewhere.liveUrl, redis: elsewhere.live },
        logger: createLogger({ level: 'silent', role: 'test' }),
      })
      const events = await reader.subscribe('broadcast', spaceId)
      void (async () => {
        for await (const { event } of events) if (event !== null) told.push(event.broadcast.status)
      })()
      const first = await openStreamingFixture(database, elsewhere, {}, fixture.media)
      await waitFor(async () => {
        tellers.add((await elsewhere.live.get(redisKeys.broadcastKeeper())) ?? '')
        return !tellers.has('')
      })
      await using _second = await openStreamingFixture(database, elsewhere, {}, fixture.media)
      await fixture.media.openBroadcast({ deviceId, broadcastId: newId(), ingest: { kind: 'WEBRTC' } })
      await waitFor(() => told.length === 1)
      await first[Symbol.asyncDispose]()
      await waitFor(async () => (await elsewhere.live.get(redisKeys.broadcastKeeper())) !== null, {
        deadlineMs: 10_000,
      })
      await fixture.media.closeBroadcast({ deviceId })
      await waitFor(() => told.at(-1) === 'ENDED')
      expect(told).toEqual(['STARTING', 'STARTING', 'ENDED'])
      await events.return?.()
    }, 30_000)

    it('is started by messages as by mutations', async () => {
      const { deviceId, spaceId } = await fixture.addSpace()
      const sender = { deviceId, spaceId }
      const { broadcast, ingest } = await fixture.desk.start(sender, { kind: 'RTP' })
      expect([broadcast.status, ingest.codec]).toEqual(['STARTING', 'VP8'])
      await expect(fixture.desk.start(sender, { kind: 'WHIP' })).rejects.toThrow('not offered yet')
      expect(await fixture.desk.stop(sender)).toEqual({ broadcast: { ...broadcast, status: 'ENDED' } })
      expect(await fixture.desk.stop(sender)).toEqual({ broadcast: null })
    })
  })

  describe('a viewer', () => {
    it('joins, connects, consumes and resumes; replies and events share one sequence after the snapshot', async () => {
      await startSpace()
      const viewer = space.people.VIEWER
      const { id: sessionId, sequence, routerRtpCapabilities, ...session } = await join(space)
      expect(session).toMatchObject({ transport: { dtlsParameters: { fingerprints: expect.any(Array) } } })
      const news = await fixture.follow(viewer, SIGNALING, { sessionId })
      const snapshot = await take(news)
      expect(snapshot).toMatchObject({ __typename: 'SignalingSnapshot', sequence, consumers: [] })
      const connected = await call(viewer, CONNECT, { sessionId, dtlsParameters })
      expect(connected.payload).toEqual({ sequence: sequence + 1, userErrors: [] })
      expect(await outcome(viewer, CONNECT, { sessionId, dtlsParameters })).toBe('ok')
      const elsewise = { role: 'client', fingerprints: [fingerprint('CD')] }
      expect(await outcome(viewer, CONNECT, { sessionId, dtlsParameters: elsewise })).toBe('CONFLICT null')
      const { payload } = await call(viewer, CONSUME, { sessionId, rtpCapabilities: routerRtpCapabilities })
      expect(payload.consumers).toMatchObject([{ kind: 'video', type: 'simple' }])
      const [{ id: consumerId }] = payload.consumers
      const ids = { sessionId, consumerId }
      expect(await outcome(viewer, RESUME, ids)).toBe('ok')
      expect(await outcome(viewer, LAYERS, { ...ids, spatialLayer: 0 })).toBe('ok')
      expect(await outcome(viewer, LAYERS, { ...ids, spatialLayer: -1 })).toBe('BAD_USER_INPUT spatialLayer')
      expect(await outcome(viewer, RESUME, { sessionId, consumerId: newId() })).toBe('NOT_FOUND consumerId')
      const restarted = await call(viewer, RESTART, { sessionId })
      expect(restarted.payload).toMatchObject({ iceParameters: { usernameFragment: expect.any(String) } })
      const second = await fixture.follow(viewer, SIGNALING, { sessionId })
      expect(await take(second)).toMatchObject({
        __typename: 'SignalingSnapshot',
        sequence: restarted.payload.sequence,
        consumers: [{ consumer: { id: consumerId }, isPaused: false }],
      })
      expect((await call(viewer, LEAVE, { sessionId })).payload).toEqual({ left: true, userErrors: [] })
      for (const stream of [news, second]) {
        let last = await take(stream)
        while (last.__typename !== 'SessionEnded') last = await take(stream)
        expect(last).toMatchObject({ reason: 'LEFT' })
        expect(last.sequence).toBeGreaterThan(restarted.payload.sequence)
        expect(await take(stream)).toBeUndefined()
      }
      await waitFor(async () => (await outcome(viewer, LEAVE, { sessionId })) === 'NOT_FOUND sessionId')
    })

    it('has the session alone: for everybody else there is none, nor after leaving', async () => {
      await startSpace()
      const { transports } = await fixture.media.count()
      const { id: sessionId, routerRtpCapabilities: rtpCapabilities } = await join(space)
      const calls: [string, Record<string, unknown>][] = [
        [CONNECT, { sessionId, dtlsParameters }],
        [CONSUME, { sessionId, rtpCapabilities }],
        [RESUME, { sessionId, consumerId: newId() }],
        [LAYERS, { sessionId, consumerId: newId(), spatialLayer: 1 }],
        [RESTART, { sessionId }],
        [LEAVE, { sessionId }],
      ]
      const subscribe = (viewer: Viewer | null) =>
        fixture.follow(viewer, SIGNALING, { sessionId }).then(
          () => 'ok',
          error => (error as Error).message.split(' ')[0],
        )
      for (const viewer of [space.people.OWNER, other.people.VIEWER, space.camera]) {
        for (const [source, input] of calls)
          expect(await outcome(viewer, source, input)).toBe('NOT_FOUND sessionId')
        expect(await subscribe(viewer)).toBe('NOT_FOUND')
      }
      for (const [source, input] of calls) expect(await outcome(null, source, input)).toBe('UNAUTHENTICATED')
      expect(await subscribe(null)).toBe('UNAUTHENTICATED')
      expect(await outcome(space.people.VIEWER, LEAVE, { sessionId })).toBe('ok')
      const isGone = async () => (await outcome(space.people.VIEWER, LEAVE, { sessionId })) !== 'ok'
      await waitFor(isGone)
      for (const [source, input] of calls)
        expect(await outcome(space.people.VIEWER, source, input)).toBe('NOT_FOUND sessionId')
      expect((await fixture.media.count()).transports).toBe(transports)
    })

    it('is let in with the right to read, where there is a broadcast', async () => {
      const { deviceId, people, camera } = await fixture.addSpace()
      expect(await outcome(people.VIEWER, JOIN, { deviceId })).toBe('CONFLICT deviceId')
      await call(camera, START, { deviceId, kind: 'RTP' })
      for (const viewer of Object.values(people)) expect(await outcome(viewer, JOIN, { deviceId })).toBe('ok')
      expect(await outcome(other.people.OWNER, JOIN, { deviceId })).toBe('NOT_FOUND deviceId')
      expect(await outcome(camera, JOIN, { deviceId })).toBe('FORBIDDEN')
      expect(await outcome(null, JOIN, { deviceId })).toBe('UNAUTHENTICATED')
      expect(await outcome(people.VIEWER, JOIN, { deviceId, clientId: 'x'.repeat(65) })).toBe(
        'BAD_USER_INPUT clientId',
      )
    })

    it('who joins again replaces the earlier session of the same player alone', async () => {
      await startSpace()
      const first = await join(space)
      const tab = await join(space, space.people.VIEWER, { clientId: 'tab' })
      const news = await fixture.follow(space.people.VIEWER, SIGNALING, { sessionId: first.id })
      await take(news)
      const second = await join(space)
      let last = await take(news)
      while (last.__typename !== 'SessionEnded') last = await take(news)
      expect(last.reason).toBe('REPLACED')
      for (const { id: sessionId } of [tab, second])
        expect(await outcome(space.people.VIEWER, RESTART, { sessionId })).toBe('ok')
    })

    it.each([
      ['no fingerprints', CONNECT, { dtlsParameters: { role: 'client', fingerprints: [] } }],
      [
        'a fingerprint that is none',
        CONNECT,
        { dtlsParameters: { fingerprints: [{ algorithm: 'sha-256', value: 'zz' }] } },
      ],
      ['an empty object', CONNECT, { dtlsParameters: {} }],
      ['too much', CONNECT, { dtlsParameters: { ...dtlsParameters, more: 'x'.repeat(70_000) } }],
      ['too deep', CONNECT, { dtlsParameters: { ...dtlsParameters, deep: nest(200) } }],
      [
        'too many codecs',
        CONSUME,
        { rtpCapabilities: { codecs: Array(300).fill({ mimeType: 'video/VP8', clockRate: 1 }) } },
      ],
      ['codecs that are none', CONSUME, { rtpCapabilities: { codecs: [1, 2] } }],
      ['nothing it can decode', CONSUME, { rtpCapabilities: { codecs: [], headerExtensions: [] } }],
    ])('with %s is told so, and the session and worker live', async (_, source, more) => {
      await startSpace()
      const { id: sessionId } = await join(space)
      const { workers } = await fixture.media.count()
      expect(await outcome(space.people.VIEWER, source, { sessionId, ...more })).toMatch(
        /^BAD_USER_INPUT (dtls|rtp)/,
      )
      expect(await outcome(space.people.VIEWER, RESTART, { sessionId })).toBe('ok')
      expect((await fixture.media.count()).workers).toEqual(workers)
    })

    it('who is removed from the space gets no more within a second', async () => {
      await startSpace()
      const { userId } = space.people.VIEWER
      const { id: sessionId } = await join(space)
      const kept = await join(space, space.people.OWNER)
      const news = await fixture.follow(space.people.VIEWER, SIGNALING, { sessionId })
      await take(news)
      const before = Date.now()
      await fixture.removeMember(space.spaceId, userId)
      let last = await take(news)
      while (last.__typename !== 'SessionEnded') last = await take(news)
      expect(last.reason).toBe('RIGHTS_ENDED')
      expect(Date.now() - before).toBeLessThan(1_000)
      expect(await outcome(space.people.OWNER, RESTART, { sessionId: kept.id })).toBe('ok')
      expect(await outcome(space.people.VIEWER, JOIN, { deviceId: space.deviceId })).toBe(
        'NOT_FOUND deviceId',
      )
    })

    it('who signs out gets no more', async () => {
      await startSpace()
      const { userId, sessionId: signInId } = space.people.VIEWER
      const { id: sessionId } = await join(space)
      await fixture.publisher.publish('revocation', [{ kind: 'session-ended', userId, sessionId: signInId }])
      await waitFor(async () => (await outcome(space.people.VIEWER, RESTART, { sessionId })) !== 'ok')
    })

    it('whose socket is gone and does not come again is reaped; who comes again goes on', async () => {
      await startSpace()
      const { transports } = await fixture.media.count()
      const gone = await join(space)
      const back = await join(space, space.people.OWNER)
      const [first, second] = await Promise.all([
        fixture.follow(space.people.VIEWER, SIGNALING, { sessionId: gone.id }),
        fixture.follow(space.people.OWNER, SIGNALING, { sessionId: back.id }),
      ])
      await first.return(undefined)
      await second.return(undefined)
      const again = await fixture.follow(space.people.OWNER, SIGNALING, { sessionId: back.id })
      await waitFor(
        async () => (await outcome(space.people.VIEWER, RESTART, { sessionId: gone.id })) !== 'ok',
      )
      expect(await outcome(space.people.OWNER, RESTART, { sessionId: back.id })).toBe('ok')
      expect((await fixture.media.count()).transports).toBe(transports + 1)
      await again.return(undefined)
    })

    it('makes 1,000 calls without a statement once its right is known', async () => {
      await startSpace()
      const viewer = space.people.VIEWER
      const { id: sessionId, routerRtpCapabilities: rtpCapabilities } = await join(space)
      await call(viewer, CONNECT, { sessionId, dtlsParameters })
      const { payload } = await call(viewer, CONSUME, { sessionId, rtpCapabilities })
      const ids = { sessionId, consumerId: payload.consumers[0].id }
      database.statements.length = 0
      for (let i = 0; i < 250; i++) {
        await call(viewer, RESUME, ids)
        await call(viewer, LAYERS, { ...ids, spatialLayer: 0 })
        await call(viewer, CONSUME, { sessionId, rtpCapabilities })
        expect(await outcome(viewer, JOIN, { deviceId: space.deviceId, clientId: String(i % 5) })).toBe('ok')
      }
      expect(database.statements).toEqual([])
    }, 60_000)
  })

  it('a lost process leaves its sessions to another, which ends those of people who may watch no more', async () => {
    await startSpace()
    const { id: sessionId } = await join(space)
    const key = redisKeys.broadcastSession(sessionId)
    const session = JSON.parse((await redis.live.get(key)) ?? '')
    await fixture.past.db.delete(deviceStatus)
    // As if it had been another process's that is gone: known to Redis alone, and late.
    const lost = newId()
    await fixture.media.join({ deviceId: space.deviceId, sessionId: lost })
    const owner = { kind: 'user', userId: newId(), signInId: newId() }
    await redis.live.set(
      redisKeys.broadcastSession(lost),
      JSON.stringify({ ...session, sessionId: lost, owner }),
    )
    await redis.live.zadd(redisKeys.broadcastSessionDeadlines(), Date.now() - 1, lost)
    await waitFor(async () => {
      return fixture.media.snapshotSession({ sessionId: lost }).then(
        () => false,
        () => true,
      )
    })
    expect(await outcome(space.people.VIEWER, RESTART, { sessionId })).toBe('ok')
  })

  it('a device publishes by the same signaling; a newer publisher replaces it, and viewers cannot', async () => {
    await startSpace({ kind: 'WEBRTC' })
    const { deviceId, people, camera } = space
    expect(await outcome(people.VIEWER, PUBLISH, { deviceId })).toBe('FORBIDDEN')
    expect(await outcome(other.camera, PUBLISH, { deviceId })).toBe('NOT_FOUND deviceId')
    const { payload } = await call(camera, PUBLISH, { deviceId })
    const sessionId = payload.session.id
    expect(await outcome(camera, CONNECT, { sessionId, dtlsParameters })).toBe('ok')
    const news = await fixture.follow(camera, SIGNALING, { sessionId })
    await take(news)
    expect(await outcome(people.OPERATOR, PUBLISH, { deviceId })).toBe('ok')
    let last = await take(news)
    while (last.__typename !== 'SessionEnded') last = await take(news)
    expect(last.reason).toBe('REPLACED')
  })
})

function nest(levels: number): object {
  return levels === 0 ? {} : { in: nest(levels - 1) }
}
