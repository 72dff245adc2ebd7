import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { createMediaClient } from '../subgraphs/shared/media-client.ts'
import type { MediaEvent } from '../subgraphs/shared/media-port.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { createMediaHttp } from './media-http.ts'
import { createMediaOff } from './media-off.ts'
import { makeDtlsParameters } from './testing/client-parameters.ts'
import { hasMediaWorker, startTestMedia, type TestMedia } from './testing/start-test-media.ts'

const secret = 's'.repeat(32)
const logger = createLogger({ level: 'silent', role: 'test' })

describe('media over HTTP', () => {
  let test: TestMedia | undefined
  let server: Server
  let url: string
  let client: ReturnType<typeof createMediaClient>

  async function serve(port = 0) {
    const { handler } = createMediaHttp({ media: test?.media ?? createMediaOff('off'), secret, logger })
    server = createServer((request, response) => handler.handleRequest(request, response))
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as { port: number }).port
  }
  async function stop() {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }

  beforeEach(async () => {
    test = hasMediaWorker ? await startTestMedia() : undefined
    url = `http://127.0.0.1:${await serve()}`
    client = createMediaClient({ url, secret, logger })
  })
  afterEach(async () => {
    await client[Symbol.asyncDispose]()
    await stop()
    await test?.[Symbol.asyncDispose]()
  })

  it.skipIf(!hasMediaWorker)('is called, and told of, as within one process', async () => {
    const events: MediaEvent[] = []
    client.listen(event => events.push(event))
    await waitFor(() => events.length === 1)
    expect(events[0]).toMatchObject({ type: 'Snapshot', broadcasts: [] })
    const ingest = { kind: 'RTP', video: { codec: 'VP8' }, audio: null } as const
    await client.openBroadcast({ deviceId: 'a', broadcastId: 'b', ingest })
    expect(await client.findBroadcast({ deviceId: 'a' })).toMatchObject({
      broadcastId: 'b',
      status: 'STARTING',
    })
    expect(await client.findBroadcast({ deviceId: 'c' })).toBeNull()
    const joined = await client.join({ deviceId: 'a', sessionId: 's' })
    expect(joined).toMatchObject({ seq: 1, sessionId: 's' })
    await client.connect({ sessionId: 's', dtlsParameters: makeDtlsParameters() })
    await expect(client.connect({ sessionId: 's', dtlsParameters: {} })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    await client.leave({ sessionId: 's' })
    await expect(client.restartIce({ sessionId: 's' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await waitFor(() => events.at(-1)?.type === 'SessionEnded')
    expect(events.slice(1)).toEqual(test?.events.slice(1))
  })

  it('begins again with a snapshot when the stream was lost, and is unavailable meanwhile', async () => {
    const events: MediaEvent[] = []
    client.listen(event => events.push(event))
    await waitFor(() => events.length === 1)
    await stop()
    await expect(client.join({ deviceId: 'a', sessionId: 's' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    await serve(Number(new URL(url).port))
    await waitFor(() => events.length === 2)
    expect(events[1]).toEqual(events[0])
  })

  it('is for roles of the same site alone', async () => {
    const stranger = createMediaClient({ url, secret: 'x'.repeat(32), logger })
    await expect(stranger.findBroadcast({ deviceId: 'a' })).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
    })
    for (const [path, method] of [
      ['join', 'POST'],
      ['events', 'GET'],
    ] as const)
      expect((await fetch(`${url}/media/${path}`, { method })).status).toBe(401)
    await stranger[Symbol.asyncDispose]()
  })
})
