import { buildSchema, getOperationAST, isObjectType, parse, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { composeSupergraph } from '../../schema/graphql/compose.ts'
import { readSupergraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import { buildSupergraph } from '../supergraph.ts'
import { dependsOnViewer, readViewerDependentFields } from './viewer-dependence.ts'

const MARKING = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])
  @link(url: "https://specs.nuvion.invalid/nuvion/v1.0", import: ["@viewerDependent"])
  @composeDirective(name: "@viewerDependent")
  directive @viewerDependent on FIELD_DEFINITION
`

const SUPERGRAPH = composeSupergraph([
  {
    name: 'things',
    typeDefs: `${MARKING}
      type Query { thing: Thing }
      type Subscription { changed: Thing  either: Either }
      interface Thing { id: ID!  secret: String  mine: String @viewerDependent  name: String }
      interface Named { name: String }
      type Box implements Thing & Named @key(fields: "id") {
        id: ID!  secret: String @viewerDependent  mine: String  name: String  inner(of: Int): Box
      }
      type Crate implements Thing & Named { id: ID!  secret: String  mine: String  name: String }
      union Either = Box | Crate
    `,
  },
  {
    name: 'others',
    typeDefs: `${MARKING}
      type Query { box: Box }
      type Box @key(fields: "id") { id: ID!  seen: Boolean @viewerDependent  size: Int }
    `,
  },
])

const { apiSchema } = buildSupergraph(SUPERGRAPH)
const marked = readViewerDependentFields(SUPERGRAPH)

function depends(query: string, operationName?: string): boolean {
  const document = parse(query)
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new TypeError('Expected an operation, got none.')
  return dependsOnViewer(apiSchema, document, operation, marked)
}

test('marks of all subgraphs come through composition, and clients see none of it', () => {
  expect([...marked].sort()).toEqual(['Box.secret', 'Box.seen', 'Thing.mine'])
  expect(printSchema(apiSchema)).not.toContain('viewerDependent')
})

test.each([
  'subscription { changed { id name } }',
  'subscription { changed { ... on Crate { secret } ... on Named { name } } }',
  'subscription { changed { ... on Box { secret: id size mine: name } } }',
  'subscription { either { __typename ... on Crate { secret } } }',
])('depends on nobody: %s', query => {
  expect(depends(query)).toBe(false)
})

test.each([
  'subscription { changed { mine } }',
  'subscription { changed { secret } }',
  'subscription { changed { ... on Box { mine } } }',
  'subscription { changed { ... on Crate { mine } } }',
  'subscription { changed { ... on Named { ... on Box { size: secret } } } }',
  'subscription { changed { id ...F } } fragment F on Thing { ...G } fragment G on Box { inner { inner { seen } } }',
  'subscription { either { ... on Thing { secret } } }',
  'subscription { either { ... { ... on Box { id: seen @include(if: false) } } } }',
])('depends on the viewer: %s', query => {
  expect(depends(query)).toBe(true)
})

test('of several operations the one that runs counts', () => {
  const query = 'subscription A { changed { id } } subscription B { changed { mine } }'
  expect(depends(query, 'A')).toBe(false)
  expect(depends(query, 'B')).toBe(true)
})

test('every mark of the real supergraph is on a field that clients can select', () => {
  const sdl = readSupergraphSdl()
  const schema = buildSupergraph(sdl).apiSchema
  const fields = [...readViewerDependentFields(sdl)]
  expect(fields).toContain('User.locale')
  for (const field of fields) {
    const [typeName = '', fieldName = ''] = field.split('.')
    const type = schema.getType(typeName)
    expect(isObjectType(type) && type.getFields()[fieldName], field).toBeTruthy()
  }
})

test('a schema without marks depends on nobody', () => {
  const schema = buildSchema('type Query { a: Int }')
  const document = parse('{ a }')
  const operation = getOperationAST(document)
  expect(operation && dependsOnViewer(schema, document, operation, new Set())).toBe(false)
})
