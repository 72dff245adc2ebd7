import { Agent, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startTestGateway } from '../testing/start-test-gateway.ts'

/** Documents of which the caches are full after a tenth of the test. */
const MAX_KEPT = 200

test('10,000 operations that nobody has sent before leave no memory behind', {
  timeout: 60_000,
}, async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  await using gateway = await startTestGateway({
    shape: 'in-process',
    limits: { maxKeptDocuments: MAX_KEPT },
  })
  const agent = new Agent({ keepAlive: true })
  let next = 0

  function send(query: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      request(gateway.url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
        .on('response', response => response.on('end', () => resolve(response.statusCode)).resume())
        .on('error', reject)
        .end(JSON.stringify({ query }))
    })
  }

  /** Sends until `count` were sent, four at a time; half of them are alike but for the name of the operation. */
  async function sendUntil(count: number): Promise<void> {
    const lane = async () => {
      while (next < count) {
        const i = next++
        expect(await send(i % 2 === 0 ? `query Q${i} { whoAmI }` : `{ a${i}: whoAmI }`)).toBe(200)
      }
    }
    await Promise.all(Array.from({ length: 4 }, lane))
  }

  /** Collects more than once: what a request leaves behind may wait for a turn of the event loop, or two. */
  async function measureHeapKib(): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5; i++) {
      await setImmediate()
      collectGarbage()
      least = Math.min(least, process.memoryUsage().heapUsed / 1_024)
    }
    return least
  }

  await sendUntil(2_000)
  const before = await measureHeapKib()
  await sendUntil(10_000)
  const kibPerOperation = ((await measureHeapKib()) - before) / 8_000
  agent.destroy()
  // Without bounds it is 6 KiB.
  expect(kibPerOperation).toBeLessThan(2)
})
