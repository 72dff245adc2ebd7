import { on } from 'node:events'
import { describe, expect, it } from 'vitest'
import { mapDeliveries } from './map-deliveries.ts'

/** An iterator that is fed by hand. */
function openSource() {
  const waiting: PromiseWithResolvers<IteratorResult<number>>[] = []
  const state = { returned: 0 }
  const source: AsyncIterableIterator<number> = {
    next() {
      const next = Promise.withResolvers<IteratorResult<number>>()
      waiting.push(next)
      return next.promise
    },
    async return() {
      state.returned++
      for (const next of waiting.splice(0)) next.resolve({ done: true, value: undefined })
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const turn = () => new Promise(resolve => setImmediate(resolve))
  async function feed(value: number) {
    await turn()
    const next = waiting.shift()
    if (next === undefined) throw new Error('nobody asks')
    next.resolve({ done: false, value })
  }
  return { source, state, feed, waiting, turn }
}

const evenTimesTen = (n: number) => (n % 2 === 0 ? n * 10 : undefined)

describe('mapDeliveries', () => {
  it('maps in order and leaves out what is mapped to undefined', async () => {
    const { source, feed } = openSource()
    const mapped = mapDeliveries(source, evenTimesTen)
    const both = Promise.all([mapped.next(), mapped.next()])
    for (const n of [1, 2, 3, 5, 4]) await feed(n)
    expect(await both).toEqual([
      { done: false, value: 20 },
      { done: false, value: 40 },
    ])
  })

  it("calls the source's return at once while a next is pending, and that next ends", async () => {
    const { source, state, turn, waiting } = openSource()
    const mapped = mapDeliveries(source, evenTimesTen)
    const pending = mapped.next()
    await turn()
    expect(waiting).toHaveLength(1)
    const returned = mapped.return?.()
    expect(state.returned).toBe(1)
    expect(await returned).toEqual({ done: true, value: undefined })
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(await mapped.next()).toEqual({ done: true, value: undefined })
    expect(waiting).toHaveLength(0)
  })

  it('closes the source when map throws', async () => {
    const { source, state, feed } = openSource()
    const mapped = mapDeliveries(source, () => {
      throw new Error('cannot map')
    })
    const next = mapped.next()
    next.catch(() => {})
    await feed(1)
    await expect(next).rejects.toThrow('cannot map')
    expect(state.returned).toBe(1)
    expect(await mapped.next()).toEqual({ done: true, value: undefined })
  })

  it("passes the source's error on", async () => {
    const abort = new AbortController()
    const source = on(process, 'map-deliveries-test', { signal: abort.signal })
    const mapped = mapDeliveries(source, ([n]: number[]) => n)
    const next = mapped.next()
    next.catch(() => {})
    abort.abort(new Error('gone'))
    await expect(next).rejects.toThrow(/abort/i)
  })
})
