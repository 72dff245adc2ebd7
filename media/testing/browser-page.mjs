// What runs in the browser of tests: mediasoup-client as a viewer or publisher. `nuvionCall` is media's port, through the test.
import { Device } from 'mediasoup-client'

const sessions = new Map()

async function call(method, input) {
  const { value, error } = await window.nuvionCall(method, input)
  if (error !== undefined) throw new Error(`${method}: ${error}`)
  return value
}

async function openTransport({ method, deviceId, sessionId, replaces, isTcpOnly, direction }) {
  const joined = await call(method, { deviceId, sessionId, ...(replaces ? { replaces } : {}) })
  const device = new Device()
  await device.load({ routerRtpCapabilities: joined.routerRtpCapabilities })
  const { transport: remote, iceServers } = joined
  const iceCandidates = remote.iceCandidates.filter(one => !isTcpOnly || one.protocol === 'tcp')
  const options = { ...remote, iceCandidates, iceServers: iceServers.map(server => ({ ...server })) }
  const transport =
    direction === 'recv' ? device.createRecvTransport(options) : device.createSendTransport(options)
  transport.on('connect', ({ dtlsParameters }, done, failed) => {
    call('connect', { sessionId, dtlsParameters }).then(done, failed)
  })
  return { device, transport }
}

/** Joins a broadcast and plays it; answers when its consumers are resumed. */
async function join({ deviceId, sessionId, replaces, isTcpOnly = false }) {
  const startedAt = performance.now()
  const { device, transport } = await openTransport({
    method: 'join',
    deviceId,
    sessionId,
    replaces,
    isTcpOnly,
    direction: 'recv',
  })
  const video = document.body.appendChild(document.createElement('video'))
  Object.assign(video, { muted: true, autoplay: true, playsInline: true, width: 160 })
  const session = { transport, video, consumers: new Map(), events: [], firstFrameMs: null }
  sessions.set(sessionId, session)
  video.requestVideoFrameCallback(() => {
    session.firstFrameMs = performance.now() - startedAt
  })
  const rtpCapabilities = device.recvRtpCapabilities ?? device.rtpCapabilities
  const { consumers } = await call('consume', { sessionId, rtpCapabilities })
  await take(sessionId, consumers)
}

async function take(sessionId, offers) {
  const session = sessions.get(sessionId)
  for (const { id, producerId, kind, rtpParameters } of offers) {
    const consumer = await session.transport.consume({ id, producerId, kind, rtpParameters })
    session.consumers.set(id, consumer)
  }
  const tracks = [...session.consumers.values()].map(consumer => consumer.track)
  session.video.srcObject = new MediaStream(tracks)
  session.video.play().catch(() => {})
  await Promise.all(offers.map(({ id }) => call('resumeConsumer', { sessionId, consumerId: id })))
}

/** Publishes the fake camera of the browser. */
async function publish({ deviceId, sessionId, isSimulcast = false }) {
  const { transport } = await openTransport({ method: 'publish', deviceId, sessionId, direction: 'send' })
  transport.on('produce', ({ kind, rtpParameters }, done, failed) => {
    call('produce', { sessionId, kind, rtpParameters }).then(
      ({ producerId }) => done({ id: producerId }),
      failed,
    )
  })
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { width: 640, height: 480, frameRate: 15 },
    audio: true,
  })
  const session = { transport, consumers: new Map(), events: [], stream }
  sessions.set(sessionId, session)
  const encodings = isSimulcast
    ? [{ scaleResolutionDownBy: 2, maxBitrate: 150_000 }, { maxBitrate: 600_000 }]
    : undefined
  await transport.produce({ track: stream.getVideoTracks()[0], ...(encodings ? { encodings } : {}) })
  await transport.produce({ track: stream.getAudioTracks()[0] })
}

/** Told by the test what media tells of a session. */
async function onEvent(event) {
  const session = sessions.get(event.sessionId)
  if (session === undefined) return
  session.events.push(event)
  if (event.type === 'ProducerReplaced') {
    for (const id of event.closedConsumerIds) close(session, id)
    await take(event.sessionId, event.consumers)
  } else if (event.type === 'ConsumerClosed') close(session, event.consumerId)
}

function close(session, consumerId) {
  session.consumers.get(consumerId)?.close()
  session.consumers.delete(consumerId)
}

async function restartIce(sessionId) {
  const { iceParameters } = await call('restartIce', { sessionId })
  await sessions.get(sessionId).transport.restartIce({ iceParameters })
}

/** What a viewer sees now. */
async function look(sessionId) {
  const session = sessions.get(sessionId)
  if (session?.video === undefined) return null
  const { transport, video, firstFrameMs } = session
  const report = transport.closed ? [] : [...(await transport.getStats()).values()]
  const inbound = report.filter(entry => entry.type === 'inbound-rtp')
  const sum = (kind, name) =>
    inbound.filter(entry => entry.kind === kind).reduce((total, entry) => total + (entry[name] ?? 0), 0)
  const pair = report.find(
    entry => entry.type === 'candidate-pair' && entry.nominated && entry.state === 'succeeded',
  )
  const local = report.find(entry => entry.id === pair?.localCandidateId)
  return {
    width: video.videoWidth,
    frames: sum('video', 'framesDecoded'),
    audioPackets: sum('audio', 'packetsReceived'),
    videoPackets: sum('video', 'packetsReceived'),
    videoPacketsLost: sum('video', 'packetsLost'),
    state: transport.connectionState,
    protocol: local?.protocol ?? null,
    firstFrameMs,
  }
}

function leave(sessionId) {
  sessions.get(sessionId)?.transport.close()
  sessions.get(sessionId)?.video?.remove()
  sessions.delete(sessionId)
}

Object.assign(window, { nuvion: { join, publish, onEvent, restartIce, look, leave } })
