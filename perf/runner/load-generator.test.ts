import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Load, LoadResult } from './http-load.ts'
import { startLoadGenerator } from './load-generator.ts'

const LOAD = { body: '{}', connections: [{ authorization: 'a' }, { authorization: 'b' }], durationMs: 200 }

async function loadOn(listener: RequestListener, expected: Load['expected']): Promise<LoadResult> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using generator = await startLoadGenerator({ cpu: null })
  const result = await generator.run({ ...LOAD, url, expected })
  server.close()
  return result
}

it('sends on each connection under its own headers and keeps the connections', async () => {
  const users = new Set<string | undefined>()
  const ports = new Set<number | undefined>()
  const result = await loadOn((request, response) => {
    users.add(request.headers.authorization)
    ports.add(request.socket.remotePort)
    response.end('yes')
  }, 'yes')
  expect([...users].sort()).toEqual(['a', 'b'])
  expect(ports.size).toBe(2)
  expect(result).toMatchObject({ failed: 0, firstFailure: null, body: 'yes' })
  expect(result.answered).toBeGreaterThan(2)
  expect(result.generatorCpuMs).toBeGreaterThan(0)
})

it('counts an answer that is not the expected one as failed', async () => {
  let sent = 0
  const result = await loadOn((_, response) => {
    sent++
    response.end(sent === 2 ? 'no' : 'yes')
  }, 'yes')
  expect(result).toMatchObject({ answered: sent - 1, failed: 1, firstFailure: 'Another answer: no' })
})

it('counts a status other than 200, and a cut connection, as failed', async () => {
  const refused = await loadOn((_, response) => response.writeHead(503).end('busy'), null)
  expect(refused).toMatchObject({ answered: 0, body: null, firstFailure: 'Status 503: busy' })
  const cut = await loadOn(request => request.socket.destroy(), null)
  expect(cut.answered).toBe(0)
  expect(cut.failed).toBeGreaterThanOrEqual(2)
})
