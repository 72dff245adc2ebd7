import { describe, expect, it } from 'vitest'
import { newId, newIdAt } from '../uuid-v7.ts'
import { decodeCursor, encodeCursor, readPage, toConnection } from './connection.ts'

const LOGS = { kind: 'log', parts: ['id'] } as const
const DEVICES = { kind: 'device', parts: ['text', 'id'] } as const

const badInput = (message: RegExp) =>
  expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringMatching(message) })

const read = (args: Parameters<typeof readPage>[0]) => readPage(args, { cursorShape: LOGS })

describe('readPage', () => {
  it('asks for the first 20 when nothing is given', () => {
    expect(read({})).toEqual({ shape: LOGS, size: 20, direction: 'forward', key: null })
    expect(read({ first: null, after: null, last: null, before: null }).size).toBe(20)
  })

  it('reads both directions, with the default size for a cursor alone', () => {
    const id = newId()
    const cursor = encodeCursor(LOGS, [id])
    expect(read({ first: 3, after: cursor })).toMatchObject({ size: 3, direction: 'forward', key: [id] })
    expect(read({ last: 3, before: cursor })).toMatchObject({ size: 3, direction: 'backward', key: [id] })
    expect(read({ last: 3 })).toMatchObject({ direction: 'backward', key: null })
    expect(read({ before: cursor })).toMatchObject({ size: 20, direction: 'backward', key: [id] })
  })

  it.each([
    [{ first: 1000 }, /first is a number from 0 to 100, not 1000/],
    [{ last: 101 }, /last is a number from 0 to 100/],
    [{ first: -1 }, /not -1/],
    [{ last: -1 }, /not -1/],
    [{ first: 1.5 }, /not 1.5/],
    [{ first: 1, last: 1 }, /first and last do not go together/],
    [{ after: 'x', before: 'x' }, /after and before do not go together/],
    [{ first: 1, before: 'x' }, /first and before do not go together/],
    [{ last: 1, after: 'x' }, /last and after do not go together/],
    [{ after: 'nonsense' }, /after is not a cursor of this list/],
    [{ before: '' }, /before is not a cursor of this list/],
  ])('refuses %j', (args, message) => {
    expect(() => read(args)).toThrow(badInput(message))
  })

  it('lets a list have sizes of its own', () => {
    const sizes = { cursorShape: LOGS, defaultSize: 5, maxSize: 10 }
    expect(readPage({}, sizes).size).toBe(5)
    expect(() => readPage({ first: 11 }, sizes)).toThrow(badInput(/from 0 to 10/))
  })
})

describe('a cursor', () => {
  it('holds its key, whatever text is in it', () => {
    const key = ['Größe "3", 龍\u0000', newId()] as const
    const cursor = encodeCursor(DEVICES, [...key])
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decodeCursor(DEVICES, cursor)).toEqual(key)
  })

  it('of one list is refused by another', () => {
    const other = { kind: 'presence-event', parts: ['id'] } as const
    expect(decodeCursor(LOGS, encodeCursor(other, [newId()]))).toBeNull()
    expect(decodeCursor(DEVICES, encodeCursor(LOGS, [newId()]))).toBeNull()
  })

  it.each([
    ['text that is no base64url', '%%%'],
    ['padding', `${encodeCursor(LOGS, [newId()])}=`],
    ['something at its end', `${encodeCursor(LOGS, [newId()])}AAAA`],
    ['another version', Buffer.from(JSON.stringify([0, 'log', newId()])).toString('base64url')],
    ['a missing part', Buffer.from('[1,"log"]').toString('base64url')],
    ['a part too many', Buffer.from(JSON.stringify([1, 'log', newId(), 1])).toString('base64url')],
    ['a part of another type', Buffer.from('[1,"log",7]').toString('base64url')],
    ['an id that is none', Buffer.from('[1,"log","x"]').toString('base64url')],
    ['spaces in its JSON', Buffer.from(`[1, "log", "${newId()}"]`).toString('base64url')],
    ['an object', Buffer.from('{}').toString('base64url')],
    ['more than a kilobyte', 'A'.repeat(2_000)],
  ])('with %s is refused', (_, cursor) => {
    expect(decodeCursor(LOGS, cursor)).toBeNull()
  })
})

describe('toConnection', () => {
  const rows = [5, 4, 3, 2, 1].map(n => ({ id: newIdAt(n * 1_000) }))
  const [r5, r4, r3, r2, r1] = rows
  const keyOf = (row: { id: string }) => [row.id] as [string]
  /** Fetches as a repository does: in the order of the walk, one row more than the page. */
  function list(args: Parameters<typeof readPage>[0]) {
    const page = read(args)
    const walk = page.direction === 'forward' ? rows : rows.toReversed()
    const start = page.key === null ? 0 : walk.findIndex(row => row.id === page.key?.[0]) + 1
    return toConnection(walk.slice(start, start + page.size + 1), page, keyOf)
  }

  it('walks forward and says whether there is more', () => {
    const first = list({ first: 2 })
    expect(first.nodes).toEqual([r5, r4])
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    const second = list({ first: 2, after: first.pageInfo.endCursor })
    expect(second.nodes).toEqual([r3, r2])
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    const third = list({ first: 2, after: second.pageInfo.endCursor })
    expect(third.nodes).toEqual([r1])
    expect(third.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  })

  it('walks backward in the same order', () => {
    const end = list({ last: 2 })
    expect(end.nodes).toEqual([r2, r1])
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    const before = list({ last: 3, before: end.pageInfo.startCursor })
    expect(before.nodes).toEqual([r5, r4, r3])
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  })

  it('has a cursor at each edge, and those of its ends in pageInfo', () => {
    const { edges, pageInfo } = list({ first: 3 })
    expect(edges.map(edge => edge.node)).toEqual([r5, r4, r3])
    expect(edges[0]?.cursor).toBe(pageInfo.startCursor)
    expect(edges[2]?.cursor).toBe(pageInfo.endCursor)
  })

  it('makes no cursor that nobody reads', () => {
    let keys = 0
    const page = read({ first: 3 })
    const connection = toConnection(rows.slice(0, 4), page, row => {
      keys++
      return keyOf(row)
    })
    expect(connection.nodes.length + Number(connection.pageInfo.hasNextPage)).toBe(4)
    expect(keys).toBe(0)
    expect(connection.edges).toHaveLength(3)
    expect(keys).toBe(3)
  })

  it('is empty for no rows, and for no size', () => {
    const empty = toConnection([], read({}), keyOf)
    expect(empty.edges).toEqual([])
    expect(empty.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    })
    expect(list({ first: 0 }).pageInfo).toMatchObject({ hasNextPage: true, endCursor: null })
  })
})
