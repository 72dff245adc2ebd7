import type { FetchNode } from '@apollo/query-planner'
import { buildSchema, OperationTypeNode } from 'graphql'
import { expect, test } from 'vitest'
import type { SubgraphOperation, SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import { createGatewayContext } from '../gateway-context.ts'
import { compileFetch } from './fetch-step.ts'
import type { PlanExecution } from './plan-execution.ts'
import type { ResultObject } from './result-object.ts'

const supergraphSchema = buildSchema('type Query { a: A } type A { id: ID name: String }')

const ENTITY_FETCH: FetchNode = {
  kind: 'Fetch',
  serviceName: 'names',
  operation:
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on A { name } } }',
  operationName: undefined,
  operationKind: OperationTypeNode.QUERY,
  requires: [
    {
      kind: 'InlineFragment',
      typeCondition: 'A',
      selections: [
        { kind: 'Field', name: '__typename' },
        { kind: 'Field', name: 'id' },
      ],
    },
  ],
}

/** Runs a fetch over some data with a subgraph that gives this answer, and tells what it was asked. */
async function run(
  fetch: FetchNode,
  path: string[],
  data: ResultObject,
  answer: SubgraphResult,
  variables: Record<string, unknown> = {},
) {
  const asked: SubgraphOperation[] = []
  const source = {
    async fetch(operation: SubgraphOperation) {
      asked.push(operation)
      return answer
    },
  }
  const step = compileFetch(fetch, path, { supergraphSchema, sources: new Map([['names', source]]) })
  const execution: PlanExecution = {
    data,
    variables,
    conditions: new Map(),
    context: createGatewayContext(null, 'request', new AbortController().signal),
    errors: [],
  }
  await step(execution)
  return { asked, errors: execution.errors.map(error => error.toJSON()) }
}

const entity = (id: unknown) => ({ __typename: 'A', id })

test('equal representations are sent once, and the answer goes to each of their objects', async () => {
  const data = { list: [entity('1'), entity('2'), null, entity('1')] }
  const answer = { data: { _entities: [{ name: 'one' }, { name: 'two' }] } }
  const { asked } = await run(ENTITY_FETCH, ['list', '@'], data, answer)
  expect(asked[0]?.variables).toEqual({ representations: [entity('1'), entity('2')] })
  expect(data.list).toMatchObject([{ name: 'one' }, { name: 'two' }, null, { name: 'one' }])
})

test('ids that only look alike are different', async () => {
  const data = { list: [entity('1'), entity(1), entity(null), { ...entity('1'), __typename: 'Other' }] }
  const answer = { data: { _entities: [{ name: 'text' }, { name: 'number' }, { name: 'null' }] } }
  const { asked } = await run(ENTITY_FETCH, ['list', '@'], data, answer)
  expect(asked[0]?.variables).toEqual({ representations: [entity('1'), entity(1), entity(null)] })
})

test('objects that got one answer can change without each other', async () => {
  const data = { list: [entity('1'), entity('1'), entity('1')] }
  await run(ENTITY_FETCH, ['list', '@'], data, { data: { _entities: [{ inner: { tags: [{ a: 1 }] } }] } })
  const inner = data.list.map(object => (object as unknown as { inner: { tags: unknown[] } }).inner)
  expect(new Set(inner).size).toBe(3)
  expect(new Set(inner.map(({ tags }) => tags)).size).toBe(3)
  expect(new Set(inner.map(({ tags }) => tags[0])).size).toBe(3)
})

test('the same without representations', async () => {
  const { requires: _, ...fetch } = ENTITY_FETCH
  const data: { list: Record<string, object>[] } = { list: [{}, {}] }
  await run(fetch, ['list', '@'], data, { data: { inner: { a: 1 } } })
  expect(data.list).toEqual([{ inner: { a: 1 } }, { inner: { a: 1 } }])
  expect(data.list[0]?.inner).not.toBe(data.list[1]?.inner)
})

test('an error of an entity is an error of each of its objects', async () => {
  const data = { list: [entity('2'), entity('1'), entity('2')] }
  const answer = {
    data: { _entities: [null, { name: 'one' }] },
    errors: [{ message: 'No.', path: ['_entities', 0, 'name'], extensions: { code: 'CONFLICT' } }],
  }
  const { errors } = await run(ENTITY_FETCH, ['list', '@'], data, answer)
  expect(errors.map(({ path }) => path)).toEqual([
    ['list', 0, 'name'],
    ['list', 2, 'name'],
  ])
  expect(errors[0]?.extensions).toEqual({ code: 'CONFLICT', serviceName: 'names' })
})

test('a subgraph that does not answer is one error, however many objects it leaves without', async () => {
  const data = { list: [entity('2'), entity('1'), entity('2')] }
  const answer = { data: null, errors: [{ message: 'Gone.', path: ['_entities', 0, 'name'] }] }
  const { errors } = await run(ENTITY_FETCH, ['list', '@'], data, answer)
  expect(errors.map(({ path }) => path)).toEqual([['list', 0, 'name']])
})

test.each([
  [{ data: {} }, 'Expected "data._entities" in response to be an array'],
  [{ data: { _entities: [] } }, 'Expected "data._entities" to contain 1 elements'],
])('an answer without its entities is an error: %j', async (answer, message) => {
  const { errors } = await run(ENTITY_FETCH, ['list', '@'], { list: [entity('1')] }, answer)
  expect(errors).toMatchObject([{ message }])
})

test('nothing is asked when there is nothing to ask for', async () => {
  const data = { list: [null, { id: '1' }, { __typename: 'A' }, { __typename: 'Other', id: '1' }] }
  const { asked } = await run(ENTITY_FETCH, ['list', '@'], data, { data: {} })
  expect(asked).toEqual([])
})

test('a fetch gets the variables it uses, and none that would hide the representations', async () => {
  const fetch = { ...ENTITY_FETCH, variableUsages: ['a', 'missing'] }
  const data = { list: [entity('1')] }
  const { asked } = await run(fetch, ['list', '@'], data, { data: { _entities: [null] } }, { a: null, b: 2 })
  expect({ ...asked[0]?.variables }).toEqual({ a: null, representations: [entity('1')] })
  const clash = { ...ENTITY_FETCH, variableUsages: ['representations'] }
  const { errors } = await run(clash, ['list', '@'], data, { data: {} }, { representations: 1 })
  expect(errors).toMatchObject([{ message: 'Variables cannot contain key "representations"' }])
})
