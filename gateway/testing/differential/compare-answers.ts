import { isDeepStrictEqual } from 'node:util'
import {
  execute,
  type FieldNode,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  visit,
} from 'graphql'
import type { TestOperation } from './corpus.ts'
import type { Run } from './start-executors.ts'

/** How two answers to one operation compare. `key order` and `entity path` are two of the intended differences. */
export type Comparison = 'same' | 'key order' | 'entity path' | 'different'

/**
 * Compares data with the order of its keys, and errors (message, path, code) in any order. Two intended differences are
 * told apart because generated operations meet them: keys in another order, where ours is the order of graphql-js; and
 * errors whose paths differ in list indexes alone.
 */
export async function compareAnswers(
  ours: FormattedExecutionResult,
  stock: FormattedExecutionResult,
  operation: TestOperation,
  schema: GraphQLSchema,
  run: Run,
): Promise<Comparison> {
  const isSameOrder = JSON.stringify(ours.data) === JSON.stringify(stock.data)
  if (!isSameOrder && !isDeepStrictEqual(plain(ours.data), plain(stock.data))) return 'different'
  if (!isDeepStrictEqual(listErrors(ours), listErrors(stock))) {
    const withoutIndexes = (step: string | number) => (typeof step === 'number' ? '@' : step)
    const isSame = isDeepStrictEqual(listErrors(ours, withoutIndexes), listErrors(stock, withoutIndexes))
    return isSame && isSameOrder ? 'entity path' : 'different'
  }
  if (isSameOrder) return 'same'
  const ordered = await orderLikeGraphql(operation, schema, run)
  return JSON.stringify(ours.data) === ordered ? 'key order' : 'different'
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function listErrors(
  { errors = [] }: FormattedExecutionResult,
  mapStep: (step: string | number) => string | number = step => step,
): string[] {
  return errors
    .map(({ message, path, extensions, locations }: GraphQLFormattedError) =>
      JSON.stringify({ message, path: path?.map(mapStep), extensions, locations }),
    )
    .toSorted()
}

/** The data as graphql-js puts it out, given the same values; all types are asked for, since it has to know them. */
async function orderLikeGraphql(
  { query, variables }: TestOperation,
  schema: GraphQLSchema,
  run: Run,
): Promise<string> {
  const document = parse(query)
  const typename: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: 'typeOfObject' },
    name: { kind: Kind.NAME, value: '__typename' },
  }
  const typed = visit(document, {
    SelectionSet: selectionSet => ({ ...selectionSet, selections: [...selectionSet.selections, typename] }),
  })
  const { data: rootValue } = await run({ query: print(typed), variables })
  const { data } = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue,
    fieldResolver: (source, _args, _context, { path }) => source[path.key],
    typeResolver: value => value.typeOfObject,
  })
  return JSON.stringify(data)
}
