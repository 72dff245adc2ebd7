import { expect, it } from 'vitest'
import { insertInOrder } from './anomaly-order.ts'

const at = (
  id: string,
  severity: 'INFO' | 'MINOR' | 'MAJOR' | 'CRITICAL',
  lastOccurredAt = '2026-01-01',
) => ({
  ...{ id, severity, lastOccurredAt },
})
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

it('puts new anomalies where the product would list them', () => {
  const rows = [at('5', 'CRITICAL'), at('2', 'CRITICAL'), at('7', 'MINOR')]
  const added = [at('3', 'CRITICAL'), at('8', 'MAJOR'), at('1', 'INFO')]
  expect(idsOf(insertInOrder(rows, added, 'SEVERITY'))).toEqual(['5', '3', '2', '8', '7', '1'])
  expect(idsOf(insertInOrder([at('5', 'INFO')], [at('9', 'INFO')], 'NEWEST'))).toEqual(['9', '5'])
})

it('orders by the last occurrence when that is asked for', () => {
  const rows = [at('1', 'INFO', '2026-01-03'), at('2', 'INFO', '2026-01-01')]
  expect(idsOf(insertInOrder(rows, [at('3', 'INFO', '2026-01-02')], 'LAST_OCCURRED'))).toEqual([
    '1',
    '3',
    '2',
  ])
})

it('never moves what is there, even where a change would have it elsewhere', () => {
  const escalated = [at('5', 'MINOR'), at('2', 'CRITICAL')]
  expect(idsOf(insertInOrder(escalated, [at('9', 'INFO')], 'SEVERITY'))).toEqual(['5', '2', '9'])
})
