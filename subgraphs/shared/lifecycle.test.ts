import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLifecycle } from './lifecycle.ts'
import { createLogger } from './logger.ts'

function createWorld({ deadlineMs = 1_000 } = {}) {
  const lines: { event: string; name?: string }[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger = createLogger({ level: 'info', role: 'test', destination })
  const closed: string[] = []
  const thing = (name: string, close: () => Promise<void> = async () => {}) => ({
    async [Symbol.asyncDispose]() {
      closed.push(name)
      await close()
    },
  })
  return { lifecycle: createLifecycle({ logger, deadlineMs }), closed, thing, lines }
}

describe('a lifecycle', () => {
  it('closes the newest first, each once', async () => {
    const { lifecycle, closed, thing } = createWorld()
    for (const name of ['database', 'gateway', 'server']) lifecycle.own(name, thing(name))
    await Promise.all([lifecycle[Symbol.asyncDispose](), lifecycle[Symbol.asyncDispose]()])
    expect(closed).toEqual(['server', 'gateway', 'database'])
  })

  it('goes on when one cannot be closed, and reports it', async () => {
    const { lifecycle, closed, thing, lines } = createWorld()
    lifecycle.own('database', thing('database'))
    lifecycle.own(
      'door',
      thing('door', () => Promise.reject(new Error('stuck'))),
    )
    await lifecycle[Symbol.asyncDispose]()
    expect(closed).toEqual(['door', 'database'])
    expect(lines).toMatchObject([{ event: 'lifecycle.close_failed', name: 'door' }])
  })

  it('leaves what does not close before its deadline, and reports it', async () => {
    const { lifecycle, closed, thing, lines } = createWorld({ deadlineMs: 10 })
    lifecycle.own('database', thing('database'))
    lifecycle.own(
      'door',
      thing('door', () => new Promise(() => {})),
    )
    await lifecycle[Symbol.asyncDispose]()
    expect(closed).toEqual(['door', 'database'])
    expect(lines).toMatchObject([{ event: 'lifecycle.left_open', name: 'door' }])
  })

  it('closes at once what it is given after it has begun to close', async () => {
    const { lifecycle, closed, thing } = createWorld()
    await lifecycle[Symbol.asyncDispose]()
    lifecycle.own('late', thing('late'))
    await lifecycle[Symbol.asyncDispose]()
    expect(closed).toEqual(['late'])
  })
})
