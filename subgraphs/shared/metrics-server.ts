import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Closable } from './lifecycle.ts'

/** Serves metrics as Prometheus text on loopback until disposed; `port` 0 takes a free one. */
export async function startMetricsServer(
  port: number,
  collect: () => Promise<string>,
): Promise<Closable & { port: number }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collect().then(
      text =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', resolve)
  await listening
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      const { promise: closed, resolve: done } = Promise.withResolvers<void>()
      server.close(() => done())
      await closed
    },
  }
}
