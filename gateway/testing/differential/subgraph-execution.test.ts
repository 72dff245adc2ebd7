import { type ExecutionResult, execute, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compileOperation } from '../../../subgraphs/shared/graphql/compiled/compiled-operation.ts'
import type { TestOperation } from './corpus.ts'
import { FEATURE_SUBGRAPHS } from './fixture-sdl.ts'
import { generateOperations } from './generate-operation.ts'
import { createMockSubgraph } from './mock-subgraph.ts'

/** Everything of a result, errors in their order. */
function show({ data, errors = [] }: ExecutionResult): string[] {
  const shown = errors.map(({ message, path, locations, extensions, name }) =>
    JSON.stringify({ message, path, locations, extensions, name }),
  )
  return [JSON.stringify(data), ...shown]
}

/** Runs `work` and counts the rejections that nobody handled; graphql-js leaves some, which would fail the run. */
async function countUnhandled(work: () => Promise<void>): Promise<number> {
  let count = 0
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', () => {
    count += 1
  })
  try {
    await work()
    await new Promise(resolve => setImmediate(resolve))
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
  return count
}

// The one left out has nothing at its root.
describe.each(FEATURE_SUBGRAPHS.filter(({ name }) => name !== 'legal'))('operations of $name', sdl => {
  const { schema } = createMockSubgraph(sdl)
  const generated = generateOperations(schema, 400, 7)
  const representations = ['Product', 'User', 'Org', 'Review', 'Warehouse', 'Book'].flatMap(type => {
    const found = schema.getType(type)
    if (found === undefined) return []
    return Array.from({ length: 9 }, (_, n) => ({ __typename: type, id: `id-${n}` }))
  })
  const entities: TestOperation[] = [
    '__typename ... on Product { id kindNote amount warehouse { city } reviews { text stars } title parts { count } }',
    '... on User { name age bestFriend { name } reviews { text } }',
    '... on Review { stars product { id } verdict { __typename } }',
    '... on Org { name lawyer }',
  ]
    .map(selection => ({
      query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${selection} } }`,
      variables: { representations },
    }))
    .filter(({ query }) => schema.getType('_Entity') && validate(schema, parse(query)).length === 0)

  test('have the same answers, errors and order of errors as those of graphql-js', async () => {
    let promised = 0
    const ours: unknown[] = []
    const theirs: unknown[] = []
    const operations = [...generated, ...entities]
    const unhandled = await countUnhandled(async () => {
      for (const { query, variables } of operations) {
        const compiled = compileOperation(schema, parse(query, { noLocation: true }), undefined)
        const result = compiled?.run({ variableValues: variables })
        if (result instanceof Promise) promised += 1
        ours.push([query, ...show((await result) ?? {})])
      }
    })
    await countUnhandled(async () => {
      for (const { query, variables } of operations)
        theirs.push([
          query,
          ...show(
            await execute({
              schema,
              document: parse(query, { noLocation: true }),
              variableValues: variables,
            }),
          ),
        ])
    })
    for (const [index, our] of ours.entries()) expect(our).toEqual(theirs[index])
    expect(unhandled).toBe(0)
    expect(promised).toBeGreaterThan(0)
  })
})
