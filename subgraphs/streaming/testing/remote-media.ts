import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Media } from '../../../media/create-media.ts'
import { createMediaHttp } from '../../../media/media-http.ts'
import { startTestMedia } from '../../../media/testing/start-test-media.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMediaClient } from '../../shared/media-client.ts'
import type { MediaPort } from '../../shared/media-port.ts'

/** Media that is asked over HTTP, and goes on while it cannot be. */
export interface RemoteMedia extends AsyncDisposable {
  /** Media itself, whatever is cut. */
  readonly there: Media
  /** The way to it. */
  readonly client: MediaPort
  /** Calls whose connection was cut, by name. */
  readonly lost: readonly string[]
  /** Cuts all connections, and each that comes, until they are restored. */
  cut(): void
  restore(): void
  /** Cuts the connection of the next call of that name alone. */
  cutNext(call: keyof MediaPort): void
}

/** Starts real media behind a port on loopback. */
export async function startRemoteMedia(): Promise<RemoteMedia> {
  const secret = 'r'.repeat(32)
  const logger = createLogger({ level: 'silent', role: 'test' })
  const { media: there } = await startTestMedia()
  const { handler } = createMediaHttp({ media: there, secret, logger })
  const lost: string[] = []
  let isCut = false
  let next: string | undefined

  const server = createServer((request, response) => {
    const call = request.url?.split('/').at(-1) ?? ''
    if (!isCut && call !== next) return handler.handleRequest(request, response)
    if (call === next) next = undefined
    lost.push(call)
    request.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createMediaClient({ url: `http://127.0.0.1:${port}`, secret, logger })
  return {
    ...{ there, client, lost },
    cut() {
      isCut = true
      server.closeAllConnections()
    },
    restore() {
      isCut = false
    },
    cutNext(call) {
      next = call
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
      await there[Symbol.asyncDispose]()
    },
  }
}
