import {
  type GraphQLSchema,
  getNamedType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSupergraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import { DEFAULT_GATEWAY_LIMITS } from '../gateway-limits.ts'
import { buildSupergraph } from '../supergraph.ts'
import { compileCost } from './operation-cost.ts'

let schema: GraphQLSchema

beforeAll(() => {
  schema = buildSupergraph(readSupergraphSdl()).apiSchema
})

/** Compiles, as nobody but a test has to know the operation. */
function compile(query: string) {
  const document = parse(query)
  return compileCost(
    document,
    document.definitions[0] as OperationDefinitionNode,
    schema,
    DEFAULT_GATEWAY_LIMITS,
  )
}

const cost = (query: string, variables: Record<string, unknown> = {}) => compile(query)(variables)
const { maxCost } = DEFAULT_GATEWAY_LIMITS

describe('the cost of an operation', () => {
  test.each([
    ['each field costs 1', '{ viewer { id email name } }', 4],
    ['a connection multiplies its lists by first', '{ spaces(first: 7) { nodes { id name } } }', 2 + 7 * 2],
    ['edges count like nodes', '{ spaces(first: 7) { edges { cursor node { id } } } }', 2 + 7 * 3],
    [
      'pageInfo is there once',
      '{ spaces(first: 7) { nodes { id } pageInfo { endCursor hasNextPage } } }',
      1 + 1 + 7 + 3,
    ],
    ['a page costs the rows that it reads', '{ spaces(first: 7) { pageInfo { endCursor } } }', 1 + 7],
    ['asking whether there are more counts them', '{ logs(spaceId: 1) { totalCountIsAtLeast } }', 1 + 500],
    ['without first, the default of the SDL counts', '{ spaces { nodes { id } } }', 2 + 20],
    ['without a default of the SDL, a page of 20', '{ logs(spaceId: 1) { nodes { id } } }', 2 + 20],
    ['last counts like first', '{ logs(spaceId: 1, last: 5) { nodes { id } } }', 2 + 5],
    ['null takes the default', '{ logs(spaceId: 1, first: null) { nodes { id } } }', 2 + 20],
    ['of both the larger counts', '{ logs(spaceId: 1, first: 3, last: 9) { nodes { id } } }', 2 + 9],
    ['zero rows cost nothing', '{ spaces(first: 0) { nodes { id name } } }', 2],
    ['a negative number is zero', '{ spaces(first: -5) { nodes { id } } }', 2],
    ['a list without pages has its assumed size', '{ space(id: 1) { lines { id name } } }', 2 + 10 * 2],
    ['and lists nest', '{ space(id: 1) { lines { processes { id } } } }', 2 + 10 * (1 + 5)],
    ['counting logs weighs', '{ logs(spaceId: 1) { totalCount } }', 501],
    ['counting devices weighs less', '{ space(id: 1) { devices { totalCount } } }', 22],
    ['a mutation weighs', 'mutation { signOut { signedOut } }', 1001],
    ['checking a password weighs more', 'mutation { signIn(input: {}) { accessToken } }', 5001],
    [
      'a subscription costs what its event does',
      'subscription { logAdded(spaceId: 1) { device { logs(first: 9) { nodes { id } } } } }',
      4 + 9,
    ],
    [
      'fragments are written out',
      '{ spaces(first: 4) { ...P } } fragment P on SpaceConnection { nodes { ...S } } fragment S on Space { id name }',
      2 + 4 * 2,
    ],
    ['inline ones too', '{ spaces(first: 4) { ... { nodes { ... on Space { id } } } } }', 2 + 4],
    ['each alias costs', '{ a: viewer { id } b: viewer { id } }', 4],
    ['introspection costs 1', '{ __schema { types { fields { name } } } viewer { __typename } }', 3],
    ['what is skipped costs nothing', '{ viewer { id @skip(if: true) name @include(if: false) email } }', 2],
  ])('%s', (_, query, expected) => {
    expect(cost(query)).toBe(expected)
  })

  test('the dashboard passes with room, 100 × 100 × 100 does not', () => {
    const overview = `{ spaces { nodes { id name lines { name devices { nodes {
      code online state { status } logs(first: 3) { nodes { message } } } } } } } }`
    const cube = `{ spaces(first: 100) { nodes { devices(first: 100) { nodes { logs(first: 100) { nodes { id } } } } } } }`
    expect(cost(overview)).toBe(36_662)
    expect(cost(overview)).toBeLessThan(maxCost / 2)
    expect(cost(cube)).toBe(1_020_202)
    expect(cost(cube)).toBeGreaterThan(maxCost)
  })
})

describe('variables', () => {
  const SPACES = 'query ($n: Int) { spaces(first: $n) { nodes { id } } }'

  test('count with the value that they have', () => {
    const reckon = compile(SPACES)
    expect([5, 100, 0].map(n => reckon({ n }))).toEqual([7, 102, 2])
  })

  test('count with their own default, then with that of the argument', () => {
    const own = 'query ($n: Int = 50) { spaces(first: $n) { nodes { id } } }'
    expect(cost(own)).toBe(52)
    expect(cost(own, { n: undefined })).toBe(52)
    expect(cost(own, { n: 3 })).toBe(5)
    expect(cost(SPACES)).toBe(22)
    expect(cost(SPACES, { n: null })).toBe(22)
  })

  test('nest', () => {
    const query = `query ($s: Int!, $d: Int!, $l: Int!) {
      spaces(first: $s) { nodes { devices(first: $d) { nodes { logs(first: $l) { nodes { id } } } } } } }`
    expect(cost(query, { s: 2, d: 3, l: 4 })).toBe(2 + 2 * (2 + 3 * (2 + 4)))
  })

  test('decide about @skip and @include; what is not certain counts', () => {
    const query =
      'query ($v: Boolean, $w: Boolean = true) { viewer { id @include(if: $v) name @skip(if: $w) } }'
    expect(cost(query, { v: false })).toBe(1)
    expect(cost(query, { v: true, w: false })).toBe(3)
    expect(cost(query, { v: 'no', w: 0 })).toBe(3)
  })

  test.each([
    ['"9"', '9'],
    ['a list', [9]],
    ['an object', { n: 9 }],
    ['true', true],
    ['NaN', Number.NaN],
  ])('of the wrong type, %s, count as none', (_, n) => {
    expect(cost(SPACES, { n })).toBe(22)
  })

  test('of any size never overflow', () => {
    const query = `query ($n: Int) { spaces(first: $n) { nodes { devices(first: $n) { nodes {
      logs(first: $n) { nodes { id } } } } } } }`
    for (const n of [2_147_483_647, 1e308, Number.POSITIVE_INFINITY])
      expect(cost(query, { n })).toBe(Number.MAX_SAFE_INTEGER)
    const mixed =
      'query ($n: Int, $z: Int) { spaces(first: $n) { nodes { devices(first: $z) { nodes { id } } } } }'
    expect(cost(mixed, { n: Number.POSITIVE_INFINITY, z: 0 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(cost(mixed, { n: 0, z: Number.POSITIVE_INFINITY })).toBe(2)
    expect(cost(SPACES, { n: Number.NEGATIVE_INFINITY })).toBe(2)
  })

  test('with names of object members are none', () => {
    const query = 'query ($constructor: Int) { spaces(first: $constructor) { nodes { id } } }'
    expect(cost(query)).toBe(22)
    expect(cost(query, JSON.parse('{ "__proto__": { "constructor": 5 } }'))).toBe(22)
  })
})

test('a document that is not valid has a cost nevertheless', () => {
  expect(cost('{ nothing { of { this } } viewer { nor: that } ...Gone }')).toBe(3)
  expect(cost('{ ...A } fragment A on Query { viewer { id } ...B } fragment B on Query { ...A }')).toBe(2)
  expect(cost('{ ... on Nowhere { a b } }')).toBe(2)
  expect(cost('query ($n: Int) { spaces(first: [$n]) { nodes { id } } }')).toBe(22)
})

test('every list of the schema without pages is short, or has a size of its own in the table', () => {
  const lists = Object.values(schema.getTypeMap()).flatMap(type => {
    if (!isObjectType(type) || type.name.startsWith('__') || type.name.endsWith('Connection')) return []
    return Object.values(type.getFields())
      .filter(({ type: of, args }) => isListType('ofType' in of ? of.ofType : of) && args.length === 0)
      .filter(({ type: of }) => isObjectType(getNamedType(of)))
      .map(({ name }) => `${type.name}.${name}`)
  })
  const withoutSize = lists.filter(name => !Object.hasOwn(DEFAULT_GATEWAY_LIMITS.listSizes, name))
  expect(withoutSize.filter(name => !name.endsWith('.userErrors'))).toEqual([])
})
