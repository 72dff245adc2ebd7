import type { GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeSupergraph, type SubgraphSdl } from '../../../schema/graphql/compose.ts'
import { readSubgraphSdl, SUBGRAPH_NAMES } from '../../../schema/graphql/subgraph-sdl.ts'
import { buildSupergraph } from '../../supergraph.ts'
import type { Shape } from '../start-test-gateway.ts'
import { type Comparison, compareAnswers } from './compare-answers.ts'
import { listCorpus, type TestOperation } from './corpus.ts'
import { FEATURE_SUBGRAPHS } from './fixture-sdl.ts'
import { generateOperations } from './generate-operation.ts'
import { INTENDED_DIFFERENCES } from './intended-differences.ts'
import { createMockSubgraph } from './mock-subgraph.ts'
import { type Executors, startExecutors } from './start-executors.ts'

const OWN_SUBGRAPHS: readonly SubgraphSdl[] = SUBGRAPH_NAMES.map(name => ({
  name,
  typeDefs: readSubgraphSdl(name),
}))

/** Operations that run at once, so that answers to remote fetches overlap. */
const AT_ONCE = 8

interface Contest extends Executors {
  readonly schema: GraphQLSchema
}

async function startContest(sdls: readonly SubgraphSdl[], shape: Shape): Promise<Contest> {
  const supergraphSdl = composeSupergraph(sdls)
  const executors = await startExecutors(supergraphSdl, sdls.map(createMockSubgraph), shape)
  return { ...executors, schema: buildSupergraph(supergraphSdl).apiSchema }
}

/** Runs operations through both; what differs unintendedly is returned, the rest is counted. */
async function compareAll({ ours, stock, schema }: Contest, operations: readonly TestOperation[]) {
  const counts: Record<Comparison, number> = { same: 0, 'key order': 0, 'entity path': 0, different: 0 }
  const different: unknown[] = []
  let withData = 0
  let withErrors = 0
  const waiting = [...operations]
  async function work(): Promise<void> {
    for (let operation = waiting.pop(); operation !== undefined; operation = waiting.pop()) {
      // Twice: what is compiled or kept after the first time must answer the same.
      await ours(operation)
      const [our, their] = await Promise.all([ours(operation), stock(operation)])
      const comparison = await compareAnswers(our, their, operation, schema, ours)
      counts[comparison] += 1
      if (their.data) withData += 1
      if (their.errors !== undefined) withErrors += 1
      if (comparison === 'different' && different.length < 5) different.push({ operation, our, their })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { counts, different, withData, withErrors }
}

describe.each<Shape>(['in-process', 'remote'])('our executor and the stock one, subgraphs %s', shape => {
  let features: Contest
  let own: Contest

  beforeAll(async () => {
    features = await startContest(FEATURE_SUBGRAPHS, shape)
    own = await startContest(OWN_SUBGRAPHS, shape)
  })

  afterAll(async () => {
    await features[Symbol.asyncDispose]()
    await own[Symbol.asyncDispose]()
  })

  test.each(listCorpus())('answer the same to $name', async ({ query, variables }) => {
    const { different, counts } = await compareAll(features, [{ query, variables }])
    expect(different).toEqual([])
    expect(counts.same).toBe(1)
  })

  test('differ where it is intended, and only so', async () => {
    expect(INTENDED_DIFFERENCES.length).toBeLessThanOrEqual(10)
    for (const { name, expected, ...operation } of INTENDED_DIFFERENCES) {
      const [our, their] = await Promise.all([features.ours(operation), features.stock(operation)])
      expect(our, name).toEqual(expected)
      if (expected.data !== undefined)
        expect(JSON.stringify(our.data), name).toBe(JSON.stringify(expected.data))
      expect(JSON.stringify([our.data, our.errors]), name).not.toBe(
        JSON.stringify([their.data, their.errors]),
      )
    }
  })

  test('answer the same to generated operations over every feature', { timeout: 120_000 }, async () => {
    const operations = generateOperations(features.schema, shape === 'remote' ? 200 : 1_500, 2)
    const { different, counts, withData, withErrors } = await compareAll(features, operations)
    expect(different).toEqual([])
    // The operations are the same each time, and so are those that meet an intended difference.
    expect(counts).toEqual(
      shape === 'remote'
        ? { same: 200, 'key order': 0, 'entity path': 0, different: 0 }
        : { same: 1_492, 'key order': 3, 'entity path': 5, different: 0 },
    )
    expect(withData).toBeGreaterThan(operations.length / 2)
    expect(withErrors).toBeGreaterThan(operations.length / 3)
  })

  test('answer the same to generated operations over our supergraph', { timeout: 120_000 }, async () => {
    const operations = generateOperations(own.schema, shape === 'remote' ? 100 : 700, 1)
    const { different, counts, withData, withErrors } = await compareAll(own, operations)
    expect(different).toEqual([])
    // Our supergraph grows, and with it what is generated.
    expect(counts['key order'] + counts['entity path']).toBeLessThanOrEqual(operations.length / 30)
    expect(withData).toBeGreaterThan(operations.length / 4)
    expect(withErrors).toBeGreaterThan(operations.length / 4)
  })
})
