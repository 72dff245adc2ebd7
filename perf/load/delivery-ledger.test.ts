import { expect, it } from 'vitest'
import { createDeliveryLedger } from './delivery-ledger.ts'

/** A ledger of ten events that all came as they should, but for what `spoil` does. */
function makeLedger(spoil: { skip?: (id: string, observer: number) => boolean; hide?: string } = {}) {
  const ledger = createDeliveryLedger({ observers: 2 })
  for (let i = 0; i < 10; i++) {
    const id = `event-${i}`
    ledger.send(id, i * 100)
    ledger.receipt(id)
    for (const observer of [0, 1]) if (!spoil.skip?.(id, observer)) ledger.deliver(observer, id)
    if (spoil.hide !== id) ledger.find(id)
  }
  return ledger
}

it('finds nothing wrong where nothing is', () => {
  const ledger = makeLedger()
  expect(ledger.isComplete).toBe(true)
  expect(ledger.settle({ hasTable: true, beganAt: 0 })).toEqual({
    ...{ sent: 10, unreceipted: 0, lostAtObservers: 0, doubledAtObservers: 0 },
    ...{ lostInTable: 0, doubledInTable: 0, unknown: 0, fromBefore: 0, examples: [] },
  })
})

it('detects one event that one observer did not get', () => {
  const ledger = makeLedger({ skip: (id, observer) => id === 'event-3' && observer === 1 })
  expect(ledger.isComplete).toBe(false)
  const { lostAtObservers, lostInTable, examples } = ledger.settle({ hasTable: true, beganAt: 0 })
  expect({ lostAtObservers, lostInTable }).toEqual({ lostAtObservers: 1, lostInTable: 0 })
  expect(examples).toEqual(['event-3 did not come to observer 1'])
})

it('detects one event that came twice, and keeps its first latency alone', () => {
  const ledger = makeLedger()
  expect(ledger.deliver(0, 'event-5')).toBeUndefined()
  const { doubledAtObservers, examples } = ledger.settle({ hasTable: true, beganAt: 0 })
  expect(doubledAtObservers).toBe(1)
  expect(examples).toEqual(['event-5 came 2 times to observer 0'])
})

it('does not let a double make up for a loss', () => {
  const ledger = makeLedger({ skip: (id, observer) => id === 'event-3' && observer === 0 })
  ledger.deliver(0, 'event-4')
  const { lostAtObservers, doubledAtObservers } = ledger.settle({ hasTable: true, beganAt: 0 })
  expect({ lostAtObservers, doubledAtObservers }).toEqual({ lostAtObservers: 1, doubledAtObservers: 1 })
})

it('detects a row that is missing, one that is there twice, and one that nobody sent', () => {
  const ledger = makeLedger({ hide: 'event-7' })
  ledger.find('event-2')
  ledger.find('event-99')
  const { lostInTable, doubledInTable, unknown } = ledger.settle({ hasTable: true, beganAt: 0 })
  expect({ lostInTable, doubledInTable, unknown }).toEqual({ lostInTable: 1, doubledInTable: 1, unknown: 1 })
})

it('tells what is of before the run from what nobody can have sent', () => {
  const ledger = makeLedger()
  const idOf = (timeMs: number) =>
    `${timeMs
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
  const beganAt = 1_790_000_000_000
  ledger.deliver(0, idOf(beganAt - 40_000))
  ledger.deliver(1, idOf(beganAt - 40_000))
  ledger.deliver(1, idOf(beganAt + 40_000))
  expect(ledger.settle({ hasTable: true, beganAt })).toMatchObject({ fromBefore: 2, unknown: 1 })
})

it('tells since when an event was due at its first delivery, and what was not receipted', () => {
  const ledger = createDeliveryLedger({ observers: 1 })
  ledger.send('a', 1_234.5)
  expect(ledger.deliver(0, 'a')).toBe(1_234.5)
  expect(ledger.settle({ hasTable: false, beganAt: 0 })).toMatchObject({ unreceipted: 1, lostInTable: 0 })
  expect(() => ledger.send('a', 0)).toThrow('id of its own')
})
