import type { SubgraphSdl } from '../../../schema/graphql/compose.ts'

const LINK = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: [
    "@key", "@shareable", "@provides", "@external", "@requires", "@override", "@inaccessible", "@interfaceObject"
  ]
)
scalar DateTime
scalar JSON
`

const CATALOG = `${LINK}
type Query {
  product(id: ID!): Product
  products(first: Int = 3, kind: Kind): [Product!]!
  maybeProducts(only: [Kind!] = [TOOL]): [Product]
  strictProduct: Product!
  media(id: ID!): Media
  medias: [Media]
  strictMedias: [Media!]!
  search(text: String = "x", filter: Filter): [Hit]
  node(id: ID!): Node
  nodes: [Node!]
  version: String @shareable
  size: Dims
  catalogOnly: Int
}
type Mutation {
  rename(id: ID!, name: String! = "new"): Product
  touch(times: Int = 1): Int!
  refuse: Product!
}
enum Kind { TOOL PART MACHINE SECRET @inaccessible }
enum Currency { EUR USD KRW }
input Filter { kind: Kind = PART, min: Int = 0, max: Int, words: [String!], inner: Filter }
interface Node { id: ID! }
interface Named { name: String }
type Product implements Node & Named @key(fields: "id") @key(fields: "sku") @key(fields: "code org { id }") {
  id: ID!
  sku: String!
  code: String!
  org: Org!
  name: String
  title: String!
  label: String
  price(currency: Currency = EUR, digits: Int = 2): Float
  weight: Int
  dims: Dims
  parts: [Part!]
  tags: [String!]
  flags: [Boolean]
  kind: Kind
  strictKind: Kind!
  internal: String @inaccessible
  related(first: Int = 2): [Product]
  strictRelated: [Product!]!
  matrix: [[Cell!]]
  createdAt: DateTime!
  attributes: JSON
  constructor: Int
  specs: [Spec!] @shareable
}
type Spec { a: Int @shareable  b: Int  deep: Spec @shareable }
type Org @key(fields: "id") @shareable { id: ID!  name: String }
type Dims @shareable { height: Int  width: Int!  unit: String }
type Part { count: Int!  product: Product  dims: Dims }
type Cell { x: Int!  y: Int  product: Product }
interface Media implements Node @key(fields: "id") { id: ID!  title: String  length: Int }
type Book implements Media & Node @key(fields: "id") {
  id: ID!  title: String  length: Int  pages: Int  rating: Int! @shareable  sequel: Book
}
type Film implements Media & Node @key(fields: "id") {
  id: ID!  title: String  length: Int!  minutes: Int  rating: Int @shareable  based: Media
}
type Hidden implements Media & Node @key(fields: "id") @inaccessible { id: ID!  title: String  length: Int }
union Hit = Product | Book | Film | Org | Part
`

const STOCK = `${LINK}
type Query { warehouses: [Warehouse!]  version: String @shareable  low(below: Int! = 5): [Product] }
type Product @key(fields: "sku") @key(fields: "id") {
  id: ID!
  sku: String!
  weight: Int @external
  dims: Dims @external
  parts: [Part!] @external
  kind: Kind @external
  label: String @override(from: "catalog")
  shipping(express: Boolean = false): String @requires(fields: "weight dims { height width }")
  partCost: String @requires(fields: "parts { count dims { width } }")
  kindNote: String! @requires(fields: "kind")
  available: Boolean!
  amount: Int
  warehouse: Warehouse
  specs: [Spec!] @shareable
}
type Spec { a: Int @shareable  c: Int  deep: Spec @shareable }
enum Kind { TOOL PART MACHINE SECRET @inaccessible }
type Dims { height: Int @external  width: Int! @external }
type Part { count: Int! @external  dims: Dims @external }
type Warehouse @key(fields: "id") { id: ID!  city: String!  holds(first: Int): [Product!]  keeper: User }
type Book @key(fields: "id") { id: ID!  rating: Int @shareable  blurb: String }
type User @key(fields: "id", resolvable: false) { id: ID! }
`

const REVIEWS = `${LINK}
type Query { topReview: Review  reviews(first: Int = 3): [Review!]!  verdicts: [Verdict] }
type Mutation { review(product: ID!, text: String): Review! }
type Product @key(fields: "id") { id: ID!  reviews(first: Int = 2): [Review!]  reviewCount: Int!  best: Review }
type Media @interfaceObject @key(fields: "id") { id: ID!  reviews: [Review!]!  score: Float  praised: Boolean }
type Review @key(fields: "id") {
  id: ID!
  text: String
  stars: Int!
  author: User @provides(fields: "nick")
  product: Product
  strictProduct: Product!
  media: Media
  verdict: Verdict
}
union Verdict = Praise | Blame
type Praise { words: String!  by: User }
type Blame { words: String!  reason: Reason }
enum Reason { PRICE QUALITY @inaccessible OTHER }
type User @key(fields: "id") { id: ID!  nick: String @external  reviews: [Review] }
`

const PEOPLE = `${LINK}
type Query { me: User  users(ids: [ID!] = ["id-1", "id-2"]): [User]!  user(id: ID! = "id-3"): User }
type User @key(fields: "id") {
  id: ID!
  nick: String @shareable
  name: String!
  age: Int
  friends(first: Int = 2): [User]
  bestFriend: User!
  role: Role
  employer: Org
  self: User
}
enum Role { ADMIN GUEST }
type Org @key(fields: "id") @shareable { id: ID!  name: String  staff: [User!] }
`

const LEGAL = `${LINK}
type Product @key(fields: "code org { id }") { code: String!  org: Org!  license: String  approvedBy: Approver }
type Org @key(fields: "id") { id: ID!  lawyer: String! }
interface Approver { since: DateTime }
type Board implements Approver { since: DateTime  members: Int!  product: Product }
type Clerk implements Approver { since: DateTime!  room: String }
`

/** A supergraph that has every feature of federation that plans depend on. */
export const FEATURE_SUBGRAPHS: readonly SubgraphSdl[] = [
  { name: 'catalog', typeDefs: CATALOG },
  { name: 'stock', typeDefs: STOCK },
  { name: 'reviews', typeDefs: REVIEWS },
  { name: 'people', typeDefs: PEOPLE },
  { name: 'legal', typeDefs: LEGAL },
]
