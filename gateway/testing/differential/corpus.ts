/** An operation of a client. */
export interface TestOperation {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Operations over the feature supergraph, by what they are about. */
export const CORPUS: Readonly<Record<string, readonly (string | TestOperation)[]>> = {
  'one subgraph': [
    '{ version }',
    '{ __typename }',
    '{ t: __typename version u: __typename }',
    '{ size { width height unit } }',
    '{ products { id title kind strictKind tags flags createdAt attributes } }',
    '{ products(first: 1, kind: TOOL) { matrix { x y product { id } } } }',
  ],
  'several and nested keys': [
    '{ products { id amount available } }',
    '{ products { sku warehouse { city keeper { name } } } }',
    '{ products { license } }',
    '{ products { title license approvedBy { since } amount reviewCount } }',
    '{ warehouses { city holds { title price license reviews { text } } } }',
    '{ low(below: 3) { license org { name lawyer staff { name } } } }',
    '{ topReview { product { license amount } } }',
    '{ users { employer { lawyer name } } }',
    '{ topReview { product { license approvedBy { ... on Board { product { amount title } } } } } }',
  ],
  '@requires': [
    '{ products { shipping } }',
    '{ products { shipping(express: true) partCost kindNote } }',
    '{ products { weight dims { unit } shipping partCost parts { count product { shipping } } } }',
    '{ warehouses { holds { shipping kindNote kind weight } } }',
    '{ reviews { product { shipping partCost } strictProduct { kindNote } } }',
  ],
  '@provides, @shareable, @override': [
    '{ reviews { author { nick } } }',
    '{ reviews { author { nick name age } } }',
    '{ users { nick reviews { author { nick self { nick } } } } }',
    '{ products { label } version }',
    '{ products(first: 5) { specs { a b c } } }',
    '{ low { id specs { c deep { a b c deep { b } } } } nodes { ... on Product { specs { b a c } } } }',
    '{ warehouses { holds { label } } }',
    '{ medias { ... on Book { rating blurb } } }',
  ],
  'interfaces and unions': [
    '{ medias { __typename id title ... on Book { pages } ... on Film { minutes } } }',
    '{ strictMedias { id length } }',
    '{ search { __typename ... on Product { title amount } ... on Media { m: title } ... on Org { lawyer } } }',
    '{ search { ... on Node { id } ... on Named { name } ... on Part { count product { amount } } } }',
    '{ node(id: "id-4") { id ... on Product { available } ... on Media { title score } } }',
    '{ nodes { __typename id ... on Named { name } ... on Book { blurb sequel { blurb } } } }',
    '{ verdicts { ... on Praise { words by { name } } ... on Blame { words reason } } }',
    '{ products { approvedBy { since ... on Board { members } ... on Clerk { room s: since } } } }',
    '{ product(id: "id-1") { ... on Node { id ... on Named { name ... on Product { title amount } } } } }',
    '{ medias { ... on Book { v: title } ... on Film { w: title } } }',
    '{ medias { ... on Book { rating } ... on Film { rating } } }',
    '{ medias { ... on Film { rating title } ... on Book { rating title } id } }',
  ],
  '@interfaceObject': [
    '{ medias { score reviews { stars } praised } }',
    '{ reviews { media { __typename id score } } }',
    '{ reviews { media { id title ... on Book { pages rating } ... on Film { minutes score } } } }',
    '{ topReview { media { score praised } } }',
    '{ media(id: "id-2") { score t: __typename } }',
    '{ reviews(first: 8) { media { length reviews { media { title } } } } }',
  ],
  '@inaccessible': [
    '{ products { kind strictKind } }',
    '{ maybeProducts { kind } }',
    '{ medias { id } strictMedias { __typename } }',
    '{ verdicts { ... on Blame { reason } } }',
    '{ node(id: "id-5") { __typename id } }',
  ],
  'fragments, aliases, repeated selections': [
    '{ a: products { x: id y: title } b: products { id } }',
    '{ products { id ...F ...F } } fragment F on Product { title ...G } fragment G on Product { amount }',
    '{ products { dims { width } id dims { height } } }',
    '{ products { parts { count } ... on Product { parts { dims { width } } } ... { parts { count } } } }',
    '{ products { related { id } related { amount related { title } } } }',
    '{ products { constructor toString: title hasOwnProperty: id } }',
    '{ products { __proto__: title valueOf: amount isPrototypeOf: sku } }',
    '{ constructor: version }',
    '{ product(id: "id-1") { id: sku sku: id amount } }',
    'query A { version }',
    '{ medias { length ... on Film { length } } search { ... on Film { length } ... on Book { l: length } } }',
  ],
  '@skip and @include': [
    '{ version @skip(if: true) size @include(if: true) { width } }',
    { query: 'query ($a: Boolean!) { products @include(if: $a) { amount } }', variables: { a: true } },
    { query: 'query ($a: Boolean!) { products @include(if: $a) { amount } }', variables: { a: false } },
    {
      query:
        'query ($a: Boolean = false) { products { id amount @skip(if: $a) reviewCount @include(if: $a) } }',
    },
    {
      query:
        'query ($a: Boolean!, $b: Boolean!) { products { ...F @include(if: $a) id } } fragment F on Product { amount license @skip(if: $b) }',
      variables: { a: true, b: true },
    },
    {
      query:
        'query ($a: Boolean!, $b: Boolean!) { products { ... @skip(if: $a) @include(if: $b) { amount } title @include(if: $b) @skip(if: $a) } }',
      variables: { a: false, b: true },
    },
    '{ product(id: "id-1") @skip(if: false) { title @include(if: false) id @skip(if: false) } }',
    {
      query: 'query ($a: Boolean!) { ... @include(if: $a) { users { name } } version }',
      variables: { a: false },
    },
  ],
  'arguments and variables': [
    '{ products(first: 2) { price price2: price(currency: USD, digits: 0) } }',
    {
      query:
        'query ($f: Filter, $t: String = "y") { search(text: $t, filter: $f) { ... on Product { price } } }',
      variables: { f: { kind: 'TOOL', words: ['a', 'b'], inner: { min: 3 } } },
    },
    {
      query:
        'query ($k: Kind = PART, $n: Int = 1) { products(first: $n, kind: $k) { id related(first: $n) { id } } }',
    },
    {
      query: 'query ($only: [Kind!]) { maybeProducts(only: $only) { id } }',
      variables: { only: null },
    },
    { query: 'query ($only: [Kind!]) { maybeProducts(only: $only) { id } }', variables: { only: 'PART' } },
    { query: 'query ($id: ID!) { product(id: $id) { id } }', variables: {} },
    { query: 'query ($id: ID!) { product(id: $id) { id } }', variables: { id: { no: 1 } } },
    { query: 'query ($n: Int) { products(first: $n) { id } }', variables: { n: 'three' } },
    { query: 'query ($k: Kind) { products(kind: $k) { id } }', variables: { k: 'SECRET' } },
    {
      query: 'query ($ids: [ID!]) { users(ids: $ids) { name } }',
      variables: { ids: ['id-1', 'id-1', 'id-2'] },
    },
    {
      query: 'query ($representations: Int) { products(first: $representations) { amount } }',
      variables: { representations: 2 },
    },
  ],
  'errors and nulls at every position': [
    '{ strictProduct { amount title } version }',
    '{ catalogOnly size { width } me { bestFriend { bestFriend { bestFriend { name } } } } }',
    '{ users(ids: ["id-1", "id-2", "id-3", "id-4", "id-5"]) { name age friends(first: 4) { name age bestFriend { name } } } }',
    '{ products(first: 8) { strictRelated { title available related { strictRelated { kindNote } } } } }',
    '{ reviews(first: 9) { strictProduct { available title kindNote reviewCount } author { name bestFriend { age } } } }',
    '{ products { parts { count dims { width } product { title parts { count } } } matrix { x product { available } } } }',
    '{ warehouses { city holds { available warehouse { city holds(first: 3) { kindNote } } } } }',
    '{ products { org { lawyer staff { name } } } }',
  ],
  mutations: [
    'mutation { touch }',
    'mutation { a: touch(times: 2) b: touch rename(id: "id-3") { name amount reviews { stars } } }',
    'mutation { refuse { id } touch }',
    'mutation { review(product: "id-4") { text product { title license } author { name } } }',
    'mutation { review(product: "id-5", text: "good") { stars strictProduct { amount } } rename(id: "id-1", name: "x") { title } }',
    'mutation { __typename touch }',
  ],
  introspection: [
    '{ __schema { queryType { name } types { name kind } } }',
    '{ __type(name: "Product") { name fields { name type { name kind ofType { name } } } } }',
    '{ version __type(name: "Hidden") { name } size { width } k: __type(name: "Kind") { enumValues { name } } }',
    '{ ...F products { id } } fragment F on Query { __schema { directives { name } } version }',
    {
      query:
        'query ($n: String!, $a: Boolean!) { version x: __type(name: $n) @include(if: $a) { name interfaces { name } } ... @skip(if: $a) { y: __type(name: $n) { kind } } }',
      variables: { n: 'Book', a: true },
    },
  ],
}

/** The corpus, flat and named. */
export function listCorpus(): (TestOperation & { readonly name: string })[] {
  return Object.entries(CORPUS).flatMap(([topic, operations]) =>
    operations.map((operation, index) => ({
      name: `${topic} ${index + 1}`,
      ...(typeof operation === 'string' ? { query: operation } : operation),
    })),
  )
}
