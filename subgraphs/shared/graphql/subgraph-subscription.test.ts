import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createLogger } from '../logger.ts'
import { takeAll } from '../testkit/take-all.ts'
import { createMark, openingWithMark, withCursor } from './event-cursor.ts'
import type { SubgraphRequest } from './subgraph.ts'
import { createSubgraphExecutor } from './subgraph-executor.ts'

/** A subgraph whose subscription yields what `openSource` answers; counts the contexts that were made. */
function openExecutor(openSource: (request: SubgraphRequest) => AsyncIterable<unknown>) {
  const contexts: SubgraphRequest[] = []
  const executor = createSubgraphExecutor(
    {
      name: 'clock',
      schema: buildSubgraphSchema([
        {
          typeDefs: parse('type Query { now: Int } type Subscription { tick(at: Int): Int }'),
          resolvers: {
            Subscription: {
              tick: {
                subscribe: (_: unknown, _args: unknown, request: SubgraphRequest) => openSource(request),
              },
            },
          },
        },
      ]),
      createContext(request) {
        contexts.push(request)
        return request
      },
    },
    { logger: createLogger({ level: 'silent', role: 'test' }) },
  )
  const request: SubgraphRequest = { viewer: null, requestId: 'r', start: { after: '1-0.0' } }
  return {
    contexts,
    subscribe: (query = 'subscription { tick }') => executor.subscribe({ query }, () => request),
  }
}

async function* yielding(...rootValues: object[]) {
  yield* rootValues
}

test('marks of the source are passed on, and run nothing', async () => {
  const { subscribe, contexts } = openExecutor(() =>
    openingWithMark(
      yielding(
        createMark('1-0.99', false),
        withCursor({ tick: 1 }, '2-0.0'),
        createMark('3-0.99', true),
        withCursor({ tick: 2 }, '4-0.0'),
      ),
    ),
  )
  expect(await takeAll(await subscribe())).toEqual([
    { extensions: { cursor: '1-0.99', isMark: true } },
    { data: { tick: 1 }, extensions: { cursor: '2-0.0' } },
    { extensions: { cursor: '3-0.99', isMark: true, isGap: true } },
    { data: { tick: 2 }, extensions: { cursor: '4-0.0' } },
  ])
  // One to open it, one for each event.
  expect(contexts).toHaveLength(3)
})

test('a source without marks is opened with one, before it has anything to tell', async () => {
  let isReturned = false
  const { subscribe } = openExecutor(() => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      async return() {
        isReturned = true
        return { done: true, value: undefined }
      },
    }),
  }))
  const stream = await subscribe()
  expect((await stream.next()).value).toEqual({ extensions: { isMark: true } })
  const pending = stream.next()
  await stream.return(undefined)
  expect(await pending).toEqual({ done: true, value: undefined })
  expect(isReturned).toBe(true)
})

test.each([
  ['subscription { tock }', 'BAD_USER_INPUT'],
  ['subscription { tick(at: "x") }', 'BAD_USER_INPUT'],
  ['subscription { tick }', 'NOT_FOUND'],
])('what refuses %s is all that comes', async (query, code) => {
  const { subscribe } = openExecutor(() => {
    throw new AppError('NOT_FOUND', 'There is no such clock.')
  })
  const results = await takeAll(await subscribe(query))
  expect(results).toEqual([{ errors: [expect.objectContaining({ extensions: { code } })] }])
})

test('the source is told where to begin', async () => {
  const { subscribe } = openExecutor(({ start }) => yielding({ tick: start?.after === '1-0.0' ? 7 : 0 }))
  const stream = await subscribe()
  await stream.next()
  expect((await stream.next()).value).toEqual({ data: { tick: 7 } })
})
