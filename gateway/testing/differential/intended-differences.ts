import type { TestOperation } from './corpus.ts'

/** Where our executor does not do what `@apollo/gateway` does, on purpose. */
export interface IntendedDifference extends TestOperation {
  readonly name: string
  readonly reason: string
  /** What of our answer is as it should be, and of the stock one is not. */
  readonly expected: { readonly data?: unknown; readonly errors?: readonly unknown[] }
}

/**
 * All of them, over the feature supergraph. The suite fails when one is no longer a difference, and when there are more
 * than ten.
 */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    name: 'a value that is 0, false or empty under a renamed key',
    reason: 'The stock executor renames only what is truthy, and answers null for the rest: data is lost.',
    query: '{ media(id: "id-85") { __typename id ... on Book { rating } ... on Film { rating } } }',
    expected: { data: { media: { __typename: 'Film', id: 'id-85', rating: 0 } } },
  },
  {
    name: 'the keys of fragments that stand there more than once',
    reason: 'Keys come in the order of the specification (CollectFields); the stock one moves them together.',
    query: '{ topReview { ... on Review { id } stars ... on Review { text } } }',
    expected: { data: { topReview: { id: 'id-2', stars: 152, text: 'Review.text#2{}' } } },
  },
  {
    name: 'the path of an error in an entity behind others that were not asked for',
    reason: 'The stock one counts objects that were left out of the fetch, and blames another object.',
    query: '{ search(text: "48") { __typename ... on Product { amount } } }',
    expected: {
      data: { search: [{ __typename: 'Part' }, { __typename: 'Product', amount: null }] },
      errors: [
        {
          message: 'Product 49 cannot be looked up in stock.',
          path: ['search', 1],
          extensions: { code: 'UNAVAILABLE' },
        },
      ],
    },
  },
  {
    name: 'null for a variable of @skip or @include that has a default value',
    reason: 'It is the mistake of who asks (BAD_USER_INPUT); the stock one fails with an error of our side.',
    query: 'query ($a: Boolean = true) { version @include(if: $a) }',
    variables: { a: null },
    expected: {
      errors: [
        {
          message: 'Variable "$a" decides over @skip or @include and must not be null.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    },
  },
  {
    name: 'more than ten wrong values in variables',
    reason: 'The stock one reports every one of them, so that one request can ask for any amount of errors.',
    query: 'query ($ids: [ID!]) { users(ids: $ids) { name } }',
    variables: { ids: Array.from({ length: 20 }, () => ({})) },
    expected: {
      errors: [
        ...Array.from({ length: 10 }, (_, index) => ({
          message: `Variable "$ids" got invalid value {} at "ids[${index}]"; ID cannot represent value: {}`,
          locations: [{ line: 1, column: 8 }],
          extensions: { code: 'BAD_USER_INPUT' },
        })),
        {
          message: 'Too many errors processing variables, error limit reached. Execution aborted.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    },
  },
  {
    name: 'a document with several operations, and none picked',
    reason: 'It is the mistake of who asks; the stock one fails with an error of our side.',
    query: 'query A { version } query B { version }',
    expected: {
      errors: [
        {
          message: 'The document has no such operation.',
          extensions: { code: 'OPERATION_RESOLUTION_FAILURE' },
        },
      ],
    },
  },
]
