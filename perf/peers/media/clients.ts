import { existsSync } from 'node:fs'
import { workerBin } from 'mediasoup'
import { openGraphqlMedia } from '../../../gateway/e2e/testing/graphql-media.ts'
import { type Camera, hasFfmpeg, startCamera } from '../../../media/testing/ffmpeg-camera.ts'
import { hasChromium, startBrowser, type TestPage } from '../../../media/testing/start-browser.ts'
import type { Ingest, MediaPort } from '../../../subgraphs/shared/media-port.ts'
import { graphqlData } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import { waitFor } from '../../../subgraphs/shared/testkit/wait-for.ts'
import { runPeer } from '../peer-program.ts'
import { type RtpTarget, startSyntheticCamera } from './synthetic-camera.ts'

/** Which media the clients use: the product's by GraphQL, with a person's token, or a bare program's. */
export interface ClientsOptions {
  readonly url: string
  readonly viewerToken: string | null
}

/** What this machine lacks for live video, in words; none is all right. */
export interface ClientsReady {
  readonly missing: readonly string[]
}

/** A command, one line of JSON. */
export type ClientsCommand =
  /** A browser sends its fake camera for the device. */
  | { readonly do: 'publish'; readonly deviceId: string; readonly deviceToken: string }
  /** ffmpeg, with a key frame a second, or a synthetic source of 1.5 Mbit/s sends for the device. */
  | {
      readonly do: 'film'
      readonly deviceId: string
      readonly deviceToken: string | null
      readonly camera: 'ffmpeg' | 'synthetic'
    }
  /** A viewer sees a first frame, and leaves. */
  | { readonly do: 'visit'; readonly deviceId: string }
  /** Viewers join one by one, and stay. */
  | { readonly do: 'stay'; readonly deviceId: string; readonly count: number }
  /** Packets of video that all who stay have received and lost so far: Received. */
  | { readonly do: 'count' }
  /** All who stay leave. */
  | { readonly do: 'disperse' }

/** Packets of video. */
export interface Received {
  readonly received: number
  readonly lost: number
}

/** What a visit came to. */
export interface Visit {
  /** From the call of joinBroadcast to the first frame that the browser shows. */
  readonly firstFrameMs: number
  /** Each call of signaling, in the order of its end. */
  readonly calls: readonly { readonly method: string; readonly ms: number }[]
}

const FRAME_DEADLINE_MS = 15_000

await runPeer<ClientsOptions, ClientsReady>(async ({ url, viewerToken }) => {
  const missing = [
    ...(existsSync(workerBin) ? [] : ["mediasoup's worker (`npm run setup -- media` gets it)"]),
    ...(hasChromium ? [] : ['Chromium (`apt-get install chromium` gets it)']),
    ...(hasFfmpeg ? [] : ['ffmpeg (`apt-get install ffmpeg` gets it)']),
  ]
  const stops: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of stops.reverse()) await stop()
  }
  if (missing.length > 0) return { ready: { missing }, close }

  const calls: { method: string; ms: number }[] = []
  const open = async (token: string | null): Promise<TestPage> => {
    const media = token === null ? null : openGraphqlMedia(url, token)
    const port = timePort(media?.port ?? openBarePort(url), (method, ms) => calls.push({ method, ms }))
    const browser = await startBrowser(port)
    stops.push(async () => {
      await browser[Symbol.asyncDispose]()
      await media?.[Symbol.asyncDispose]()
    })
    return await browser.openPage()
  }
  const page = await open(viewerToken)
  const staying: string[] = []
  let count = 0

  async function firstFrameOf(sessionId: string): Promise<number> {
    return await waitFor(async () => (await page.look(sessionId))?.firstFrameMs ?? null, {
      deadlineMs: FRAME_DEADLINE_MS,
      what: 'a first frame',
    })
  }

  async function film(command: Extract<ClientsCommand, { do: 'film' }>): Promise<void> {
    const target = await (command.deviceToken === null
      ? askBare<RtpTarget>(url, 'film', {})
      : startRtp(url, command.deviceId, command.deviceToken))
    if (command.camera === 'synthetic') {
      const stop = startSyntheticCamera(target)
      stops.push(async () => stop())
      return
    }
    const camera: Camera = startCamera({ kind: 'RTP', video: target, audio: null } as unknown as Ingest)
    stops.push(() => camera.kill())
  }

  async function answer(line: string): Promise<unknown> {
    const command = JSON.parse(line) as ClientsCommand
    switch (command.do) {
      case 'publish': {
        const { deviceId, deviceToken: token } = command
        await startBroadcast(url, { deviceId, kind: 'WEBRTC' }, token)
        await (await open(token)).publish({ deviceId, sessionId: 'camera' })
        return null
      }
      case 'film':
        return await film(command)
      case 'visit': {
        const sessionId = `visitor-${count++}`
        calls.length = 0
        await page.join({ deviceId: command.deviceId, sessionId })
        const firstFrameMs = await firstFrameOf(sessionId)
        await page.leave(sessionId)
        return { firstFrameMs, calls: [...calls] } satisfies Visit
      }
      case 'stay':
        for (let i = 0; i < command.count; i++) {
          const sessionId = `guest-${count++}`
          await page.join({ deviceId: command.deviceId, sessionId })
          staying.push(sessionId)
        }
        return staying.length
      case 'count': {
        const sights = await Promise.all(staying.map(sessionId => page.look(sessionId)))
        const sum = (read: 'videoPackets' | 'videoPacketsLost') =>
          sights.reduce((total, sight) => total + (sight?.[read] ?? 0), 0)
        return { received: sum('videoPackets'), lost: sum('videoPacketsLost') } satisfies Received
      }
      case 'disperse':
        for (const sessionId of staying.splice(0)) await page.leave(sessionId)
        return null
    }
  }

  return {
    ready: { missing },
    answer: line => answer(line).catch(error => ({ error: String(error) })),
    close,
  }
})

/** Every session is a player of its own: a viewer who joins again would replace themselves. */
function timePort(port: MediaPort, tell: (method: string, ms: number) => void): MediaPort {
  const timed = Object.entries(port).map(([method, work]) => {
    if (method === 'listen') return [method, work]
    const call = async (given: { sessionId: string }) => {
      const input = method === 'join' ? { ...given, clientId: given.sessionId } : given
      const startedAt = performance.now()
      const value = await work(input)
      tell(method, performance.now() - startedAt)
      return value
    }
    return [method, call]
  })
  return Object.fromEntries(timed) as MediaPort
}

function openBarePort(url: string): MediaPort {
  const calls = ['join', 'connect', 'consume', 'resumeConsumer'].map(method => [
    method,
    (input: object) => askBare(url, method, input),
  ])
  return { ...Object.fromEntries(calls), listen: () => () => {} } as MediaPort
}

async function askBare<T>(url: string, method: string, input: object): Promise<T> {
  const answer = await fetch(`${url}/${method}`, {
    method: 'POST',
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`${method}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function startBroadcast(url: string, input: object, token: string): Promise<RtpTarget> {
  const query = `mutation ($input: StartBroadcastInput!) { startBroadcast(input: $input) {
    ingest { codec ip port rtcpPort payloadType ssrc srtp } userErrors { code message } } }`
  const { startBroadcast } = await graphqlData<{
    startBroadcast: { ingest: RtpTarget; userErrors: object[] }
  }>(url, query, { token, variables: { input } })
  if (startBroadcast.userErrors.length > 0) throw new Error(JSON.stringify(startBroadcast.userErrors))
  return startBroadcast.ingest
}

const startRtp = (url: string, deviceId: string, token: string) =>
  startBroadcast(url, { deviceId, kind: 'RTP', codec: 'VP8' }, token)
