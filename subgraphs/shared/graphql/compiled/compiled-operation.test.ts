import { buildSchema, type ExecutionResult, execute, GraphQLError, type GraphQLSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compileOperation } from './compiled-operation.ts'

const SDL = `
  type Query { a: A  list: [A]  strict: [A!]  node: Node  any: Any  text(t: String = "d", n: [Int!]): String  on: Boolean }
  type Mutation { first: Int  second: Int!  third: Int }
  interface Node { id: ID }
  type A implements Node { id: ID  name: String!  n: Int  f: Float  b: Boolean  kind: Kind  inner: A  tags: [String]  grid: [[Int!]] }
  type B implements Node { id: ID  size: Int }
  union Any = A | B
  enum Kind { ONE TWO }
`

type Resolvers = Record<string, Record<string, unknown>>

function makeSchema(resolvers: Resolvers): GraphQLSchema {
  const schema = buildSchema(SDL)
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName) as unknown as Record<string, unknown> & {
      getFields(): Record<string, { resolve?: unknown }>
    }
    for (const [name, resolve] of Object.entries(fields)) {
      if (name === 'isTypeOf' || name === 'resolveType') type[name] = resolve
      else Object.assign(type.getFields()[name] ?? {}, { resolve })
    }
  }
  return schema
}

/** Both answers, errors in their order and with everything that they carry. */
async function runBoth(
  resolvers: () => Resolvers,
  query: string,
  options: { variableValues?: Record<string, unknown>; rootValue?: unknown; contextValue?: unknown } = {},
) {
  const document = parse(query)
  const compiled = compileOperation(makeSchema(resolvers()), document, undefined)
  const ours = await compiled?.run(options)
  const theirs = await execute({ schema: makeSchema(resolvers()), document, ...options })
  return { ours: show(ours ?? {}), theirs: show(theirs) }
}

function show({ data, errors }: ExecutionResult) {
  return {
    data: JSON.stringify(data),
    errors: errors?.map(error => ({ ...error.toJSON(), original: String(error.originalError) })),
  }
}

const query = (field: string, value: () => unknown): (() => Resolvers) => {
  return () => ({ Query: { [field]: value } })
}

describe('a compiled operation answers as graphql-js does', () => {
  test.each<[string, () => Resolvers, string, object?]>([
    [
      'values of an object',
      query('a', () => ({ id: 7, name: 'x', n: 1.0, f: 2, b: true })),
      '{ a { id name n f b } }',
    ],
    [
      'values to be coerced',
      query('a', () => ({ id: 7, name: true, n: '3', f: '2.5', b: 1 })),
      '{ a { id name n f b } }',
    ],
    [
      'values that cannot be',
      query('a', () => ({ id: {}, name: {}, n: 1.5, f: 'x', b: 'y', kind: 'THREE' })),
      '{ a { id n f b kind } }',
    ],
    ['numbers out of range', query('a', () => ({ n: 2 ** 31, f: Number.NaN, id: 1e21 })), '{ a { n f id } }'],
    ['a null in a non-null field', query('a', () => ({ name: null })), '{ a { id name } }'],
    [
      'promises as properties',
      query('a', () => ({ id: Promise.resolve('1'), name: Promise.resolve(null) })),
      '{ a { id name } }',
    ],
    [
      'methods',
      query('a', () => ({
        id: (args: object) => JSON.stringify(args),
        name: async () => 'late',
        inner: () => ({ id: '2' }),
      })),
      '{ a { id name inner { id } } }',
    ],
    [
      'methods that throw',
      query('a', () => ({
        id: () => {
          throw new Error('no')
        },
        name: () => Promise.reject(new Error('late')),
      })),
      '{ a { id name } }',
    ],
    [
      'getters that throw',
      query('a', () => ({
        get id() {
          throw new Error('no')
        },
        get n() {
          throw 'odd'
        },
        name: 'x',
      })),
      '{ a { id n name } }',
    ],
    [
      'errors as values',
      query('a', () => ({
        id: new Error('as value'),
        name: 'x',
        inner: new GraphQLError('g', { extensions: { code: 'C' } }),
      })),
      '{ a { id name inner { id } } }',
    ],
    [
      'something that is no error, thrown',
      query('a', () => {
        throw 'text'
      }),
      '{ a { id } }',
    ],
    ['nothing, rejected', query('a', () => Promise.reject(undefined)), '{ a { id } }'],
    ['text for an object', query('a', () => 'text'), '{ a { id name } }'],
    ['a function for an object', query('a', () => Object.assign(() => {}, { id: '1' })), '{ a { id } }'],
    [
      'lists of all kinds',
      query('list', () => new Set([{ id: 1 }, null, Promise.resolve({ id: 2 }), new Error('item')])),
      '{ list { id } }',
    ],
    [
      'an item that rejects before another resolves',
      query('list', () => [
        new Promise(r => setTimeout(r, 5, { id: 1 })),
        Promise.reject(new Error('early')),
        { id: 3 },
      ]),
      '{ list { id } }',
    ],
    ['an item that must not be null', query('strict', () => [{ id: 1 }, null]), '{ strict { id } }'],
    ['what is no list', query('list', () => ({ length: 1 })), '{ list { id } }'],
    ['text for a list', query('list', () => 'ab'), '{ list { id } }'],
    [
      'lists in lists',
      query('a', () => ({ tags: ['a', 1, null, {}], grid: [[1, 2], [3, null], null] })),
      '{ a { tags grid } }',
    ],
    [
      'an interface by __typename',
      query('node', () => ({ __typename: 'B', id: 1, size: 2 })),
      '{ node { __typename id ... on B { size } ... on A { name } } }',
    ],
    [
      'an interface by a promise',
      () => ({ Query: { node: () => ({ id: 1 }) }, Node: { resolveType: async () => 'A' } }),
      '{ node { id __typename } }',
    ],
    [
      'an interface whose type cannot be told',
      () => ({
        Query: { node: () => ({ id: 1 }) },
        Node: {
          resolveType: () => {
            throw new Error('no type')
          },
        },
      }),
      '{ node { id } }',
    ],
    [
      'a union by isTypeOf',
      () => ({
        Query: { any: () => ({ id: 1 }) },
        A: { isTypeOf: async () => false },
        B: { isTypeOf: () => true },
      }),
      '{ any { __typename ... on B { id } } }',
    ],
    [
      'an object that isTypeOf refuses',
      () => ({
        Query: { a: () => ({ id: 1 }) },
        A: {
          isTypeOf: () => {
            throw new Error('no')
          },
        },
      }),
      '{ a { id } }',
    ],
    [
      'arguments with default values',
      query('text', (() => (_: unknown, args: object) => JSON.stringify(args)) as never),
      '{ on }',
    ],
    ['a root value', () => ({}), '{ on a { id } }', { rootValue: { on: true, a: { id: 5 } } }],
    [
      'a root value with methods',
      () => ({}),
      '{ on text }',
      {
        rootValue: {
          on: (_: object, context: number) => context === 4,
          text: (args: object) => JSON.stringify(args),
        },
        contextValue: 4,
      },
    ],
    [
      'mutations one after the other',
      () => {
        let n = 0
        return {
          Mutation: {
            first: async () => {
              await null
              return ++n
            },
            second: () => ++n,
            third: async () => ++n,
          },
        }
      },
      'mutation { third first second }',
    ],
    [
      'a mutation that ends the others',
      () => {
        let n = 0
        return {
          Mutation: {
            first: async () => ++n,
            second: async () => {
              throw new Error('stop')
            },
            third: () => ++n,
          },
        }
      },
      'mutation { first second third }',
    ],
    [
      'keys that objects have',
      query('a', () => ({ id: 1, name: 'x' })),
      '{ a { constructor: id __proto__: name toString: id then: name } }',
    ],
    [
      'fields that are selected again',
      query('a', () => ({ id: 1, inner: { id: 2, name: 'y' } })),
      '{ a { inner { id } ...F inner { name } } } fragment F on A { id inner { n } }',
    ],
  ])('%s', async (_, resolvers, text, options = {}) => {
    const { ours, theirs } = await runBoth(resolvers, text, options)
    expect(ours).toEqual(theirs)
  })

  test.each<[string, Record<string, unknown>]>([
    ['query ($t: String, $n: [Int!]) { text(t: $t, n: $n) }', {}],
    ['query ($t: String, $n: [Int!]) { text(t: $t, n: $n) }', { t: null, n: 3 }],
    ['query ($t: String = "v") { text(t: $t) }', {}],
    ['query ($t: String!) { text(t: $t) }', {}],
    ['query ($n: [Int!]) { text(n: $n) }', { n: [1, null, 'x'] }],
    ['query ($n: Int!) { text(n: [1, $n]) }', { n: 2 }],
    ['query ($s: Boolean!) { text @skip(if: $s) on @include(if: $s) }', { s: true }],
    [
      'query ($s: Boolean = false) { text @skip(if: $s) ...F @include(if: $s) } fragment F on Query { on }',
      {},
    ],
    ['query ($s: Boolean!) { ... @skip(if: $s) { text } on }', { s: false }],
  ])('%s with %j', async (text, variableValues) => {
    const resolvers = () => ({
      Query: { text: (_: unknown, args: object) => JSON.stringify(args), on: () => true },
    })
    const { ours, theirs } = await runBoth(resolvers, text, { variableValues })
    expect(ours).toEqual(theirs)
  })

  test('resolvers get the same four arguments', async () => {
    const seen: unknown[] = []
    const resolvers = () => ({
      Query: {
        list: () => [{ id: 1 }],
      },
      A: {
        name: (source: unknown, args: unknown, context: unknown, info: Record<string, unknown>) => {
          seen.push({
            source,
            args,
            context,
            ...info,
            schema: undefined,
            parentType: String(info.parentType),
          })
          return 'x'
        },
      },
    })
    await runBoth(resolvers, 'query Q($x: Int = 1) { list { n: name ...F } } fragment F on A { id }', {
      contextValue: 'context',
      rootValue: 'root',
    })
    expect(seen).toHaveLength(2)
    expect(seen[0]).toEqual(seen[1])
  })
})

test('a promise that nobody waits for any more does not end the process', async () => {
  const rejected: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', error => rejected.push(error))
  const schema = makeSchema({
    Query: { strict: () => [{ name: Promise.reject(new Error('late')) }, null] },
  })
  const result = await compileOperation(schema, parse('{ strict { name } }'), undefined)?.run({})
  await new Promise(resolve => setImmediate(resolve))
  process.removeAllListeners('unhandledRejection')
  for (const listener of listeners) process.on('unhandledRejection', listener)
  expect(result).toMatchObject({ data: { strict: null }, errors: [{ path: ['strict', 1] }] })
  expect(rejected).toEqual([])
})

test('introspection, and a document without such an operation, are left to graphql-js', () => {
  const schema = makeSchema({})
  expect(compileOperation(schema, parse('{ __schema { queryType { name } } }'), undefined)).toBeUndefined()
  expect(compileOperation(schema, parse('query A { on }'), 'B')).toBeUndefined()
})

test('arguments are an object of its own for each call', async () => {
  const schema = makeSchema({
    Query: { list: () => [{}, {}] },
    A: { name: () => 'x' },
  })
  const field = schema.getQueryType()?.getFields().text
  const seen: unknown[] = []
  Object.assign(field ?? {}, {
    resolve: (_: unknown, args: Record<string, unknown>) => {
      seen.push({ ...args })
      args.t = 'changed'
      return 'x'
    },
  })
  const compiled = compileOperation(schema, parse('{ text b: text }'), undefined)
  await compiled?.run({})
  await compiled?.run({})
  expect(seen).toEqual([{ t: 'd' }, { t: 'd' }, { t: 'd' }, { t: 'd' }])
})
