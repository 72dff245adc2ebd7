import { expect, it } from 'vitest'
import type { LogLineFragment } from './device.generated.ts'
import { addNew, addOlder, beginLines, MAX_LINES, olderThan } from './log-lines.ts'

const log = (number: number): LogLineFragment => ({
  ...{ id: String(number).padStart(8, '0'), level: 'INFO', message: `line ${number}`, attributes: null },
  ...{ clockReplaced: false, occurredAt: new Date(number).toISOString() },
})
const page = (numbers: readonly number[], hasNextPage = true) => ({
  edges: numbers.map(number => ({ cursor: `c${number}`, node: log(number) })),
  pageInfo: { hasNextPage },
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const idsOf = ({ lines }: { lines: readonly { log: LogLineFragment }[] }) =>
  lines.map(one => Number(one.log.id))

it('has each line once, the oldest first, whichever way it came', () => {
  const begun = beginLines(page([9, 8, 7]))
  const grown = addNew(begun, [log(10), log(9), log(11)], true)
  const whole = addOlder(grown, page([7, 6, 5], false))
  expect(idsOf(whole)).toEqual([5, 6, 7, 8, 9, 10, 11])
  expect(whole.hasOlder).toBe(false)
  expect(idsOf(addNew(whole, [log(4)], true))).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
})

it('keeps so many: the newest while it follows, what is looked at while it does not', () => {
  const full = addNew(beginLines(page([], false)), range(0, MAX_LINES).map(log), true)
  const followed = addNew(full, [log(MAX_LINES)], true)
  expect(followed.lines).toHaveLength(MAX_LINES)
  expect(idsOf(followed).at(0)).toBe(1)
  expect(followed.hasOlder).toBe(true)
  const paused = addNew(full, [log(MAX_LINES), log(MAX_LINES + 1)], false)
  expect(idsOf(paused).at(-1)).toBe(MAX_LINES - 1)
  expect(paused.leftOut).toBe(2)
  const later = addNew({ ...paused, lines: paused.lines.slice(10) }, [log(MAX_LINES + 2)], false)
  expect(later.leftOut).toBe(3)
  const back = addOlder(full, page([-1, -2]))
  expect(idsOf(back).at(-1)).toBe(MAX_LINES - 3)
  expect([back.lines.length, back.leftOut]).toEqual([MAX_LINES, 2])
})

it('asks for older lines after the cursor of the oldest, or up to its time', () => {
  expect(olderThan(beginLines(page([9, 8])))).toEqual({ after: 'c8', to: null })
  expect(olderThan(addNew(beginLines(page([])), [log(5)], true))).toEqual({
    after: null,
    to: new Date(6).toISOString(),
  })
})
