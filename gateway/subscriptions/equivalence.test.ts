import {
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
} from 'graphql'
import { expect, test } from 'vitest'
import { composeSupergraph, type SubgraphSdl } from '../../schema/graphql/compose.ts'
import type { Subgraph } from '../../subgraphs/shared/graphql/subgraph.ts'
import { buildSupergraph } from '../supergraph.ts'
import type { TestOperation } from '../testing/differential/corpus.ts'
import { FEATURE_SUBGRAPHS } from '../testing/differential/fixture-sdl.ts'
import { generateOperations } from '../testing/differential/generate-operation.ts'
import { createMockSubgraph } from '../testing/differential/mock-subgraph.ts'
import { createFixture } from '../testing/fixture-subgraphs.ts'
import { openSocketClient } from '../testing/socket-client.ts'
import { type Shape, startTestGateway } from '../testing/start-test-gateway.ts'

/** Queries of the root that have a subscription of the same type beside them. */
const ROOTS = {
  product: 'productChanged',
  media: 'mediaChanged',
  strictProduct: 'strictProductChanged',
} as const
type Root = keyof typeof ROOTS

const SUBGRAPHS: readonly SubgraphSdl[] = FEATURE_SUBGRAPHS.map(({ name, typeDefs }) => ({
  name,
  typeDefs:
    name === 'catalog'
      ? `${typeDefs}
         type Subscription {
           productChanged(id: ID!): Product
           mediaChanged(id: ID!): Media
           strictProductChanged: Product!
         }`
      : typeDefs,
}))

const SUPERGRAPH = composeSupergraph(SUBGRAPHS)
const { apiSchema } = buildSupergraph(SUPERGRAPH)
const SEED = 11
const COUNT = 200

/** Its subscriptions have one event: what the query beside them answers. */
function createSubgraph(sdl: SubgraphSdl): Subgraph {
  const subgraph = createMockSubgraph(sdl)
  const { schema } = subgraph
  const subscriptions = schema.getSubscriptionType()?.getFields() ?? {}
  for (const [root, name] of Object.entries(ROOTS)) {
    const field = subscriptions[name]
    const query = schema.getQueryType()?.getFields()[root]
    if (field === undefined) continue
    field.subscribe = async function* () {
      yield {}
    }
    field.resolve = (_, args, context, info) => query?.resolve?.(undefined, args, context, info)
  }
  return subgraph
}

/** Generated queries of one root field each. */
function listQueries(): TestOperation[] {
  const query = apiSchema.getQueryType()?.toConfig()
  if (query === undefined) throw new TypeError('Expected a query type, got none.')
  const fields = Object.fromEntries(Object.entries(query.fields).filter(([name]) => name in ROOTS))
  const config = apiSchema.toConfig()
  const schema = new GraphQLSchema({
    ...config,
    types: config.types.filter(({ name }) => !['Query', 'Mutation', 'Subscription'].includes(name)),
    query: new GraphQLObjectType({ ...query, fields }),
    mutation: undefined,
    subscription: undefined,
  })
  // The gateway refuses aliases that begin with two underscores.
  return generateOperations(schema, COUNT, SEED).filter(
    operation => !operation.query.includes('__proto__:') && asSubscription(operation) !== undefined,
  )
}

/** The subscription of the same selection, under the same name in the answer; undefined when there is none. */
function asSubscription({ query, variables }: TestOperation): TestOperation | undefined {
  const document = parse(query)
  const operation = findOperation(document)
  const [field, ...others] = operation.selectionSet.selections
  if (field?.kind !== Kind.FIELD || others.length > 0 || field.name.value === '__typename') return undefined
  // A subscription's root field takes no @skip and no @include.
  if (field.directives?.length) return undefined
  const subscription: OperationDefinitionNode = {
    ...operation,
    operation: 'subscription' as OperationDefinitionNode['operation'],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [
        {
          ...field,
          alias: field.alias ?? field.name,
          name: { kind: Kind.NAME, value: ROOTS[field.name.value as Root] },
        },
      ],
    },
  }
  const definitions = document.definitions.map(one => (one === operation ? subscription : one))
  return { query: print({ kind: Kind.DOCUMENT, definitions }), variables }
}

function findOperation(document: DocumentNode): OperationDefinitionNode {
  const found = document.definitions.find(one => one.kind === Kind.OPERATION_DEFINITION)
  if (found === undefined) throw new TypeError('Expected an operation, got none.')
  return found
}

/** Data with the order of its keys, and errors in any order. */
function show({ data, errors = [] }: FormattedExecutionResult): string[] {
  const shown = errors.map(({ message, path, extensions }) => JSON.stringify({ message, path, extensions }))
  return [JSON.stringify(data), ...shown.toSorted()]
}

test.each<Shape>(['in-process', 'remote'])(
  'a subscription answers to a selection as a query does, with subgraphs %s',
  async shape => {
    const operations = listQueries()
    expect(operations.length).toBeGreaterThan(COUNT / 5)
    const many = 1_000_000_000
    await using gateway = await startTestGateway({
      shape,
      supergraphSdl: SUPERGRAPH,
      fixture: Object.assign(createFixture(), { subgraphs: SUBGRAPHS.map(createSubgraph) }),
      limits: {
        maxDepth: 100,
        maxTokens: 100_000,
        maxRootFields: many,
        maxAliases: many,
        maxAliasesPerField: many,
        maxFields: many,
        maxFragments: many,
        maxCost: Number.MAX_SAFE_INTEGER,
      },
    })
    using client = await openSocketClient(gateway.wsUrl, undefined)
    let [withData, withErrors, withoutData] = [0, 0, 0]
    for (const [index, operation] of operations.entries()) {
      const subscription = asSubscription(operation) ?? operation
      const answers = [operation, subscription].map(async ({ query, variables }, kind) => {
        const id = `${index} ${kind}`
        client.subscribe(id, query, { variables: { ...variables } })
        // What the planner of Apollo cannot plan is a result without data here, an error message there.
        const errors = (await client.ended(id)) as FormattedExecutionResult['errors']
        return errors === undefined ? client.results(id) : [{ errors }]
      })
      const [asked = [], followed = []] = await Promise.all(answers)
      expect(followed).toHaveLength(1)
      const [answer = {}] = asked
      if (Object.values(answer.data ?? {}).some(value => value !== null)) withData++
      if (answer.errors !== undefined) withErrors++
      if (answer.data === undefined) withoutData++
      expect(show(followed[0] ?? {}), print(parse(operation.query))).toEqual(show(answer))
    }
    expect(withData).toBeGreaterThan(operations.length / 2)
    expect(withoutData).toBeLessThan(4)
    expect(withErrors).toBeGreaterThan(operations.length / 10)
  },
  60_000,
)
