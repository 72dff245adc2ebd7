import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { DocumentLimits } from '../gateway-limits.ts'
import { createDocumentCache } from './document-cache.ts'
import { checkDocumentLimits } from './document-limits.ts'

/** A document that may be validated. */
export interface ReadDocument {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}

/** Reads what clients send, before anything costly is done with it. */
export interface DocumentReader {
  /**
   * Parses a query and checks its limits, once per distinct text.
   *
   * Throws a GraphQLError: GRAPHQL_PARSE_FAILED for a syntax error, GRAPHQL_VALIDATION_FAILED for introspection where it
   * is off, OPERATION_RESOLUTION_FAILURE when `operationName`
   * picks none (both are Apollo's codes, which its clients know), BAD_USER_INPUT for a broken limit, and for @skip or
   * @include at the root of a subscription, which graphql-js cannot validate.
   */
  read(query: string, operationName: string | undefined): ReadDocument
}

const INTROSPECTION_FIELDS = new Set(['__schema', '__type'])

/** Creates a reader that remembers `maxKeptDocuments` documents. `hasIntrospection` is true unless said otherwise. */
export function createDocumentReader(
  limits: DocumentLimits & { readonly maxKeptDocuments: number; readonly hasIntrospection?: boolean },
): DocumentReader {
  const documents = createDocumentCache(limits.maxKeptDocuments)

  function readDocument(query: string): DocumentNode {
    const kept = documents.get(query)
    if (kept !== undefined) return kept
    const document = parseWithin(query, limits.maxTokens)
    const broken = checkDocumentLimits(document, limits)
    if (broken !== undefined) throw broken
    if (limits.hasIntrospection === false) refuseIntrospection(document)
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'subscription')
        refuseConditionalRoot(definition, document)
    }
    documents.set(query, document)
    return document
  }

  return {
    read(query, operationName) {
      const document = readDocument(query)
      const operation = getOperationAST(document, operationName)
      if (operation) return { document, operation }
      throw new GraphQLError(
        operationName === undefined
          ? 'Say which operation to run: the document does not have exactly one.'
          : 'The document has no operation of this name.',
        { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } },
      )
    },
  }
}

function parseWithin(query: string, maxTokens: number): DocumentNode {
  try {
    return parse(query, { maxTokens })
  } catch (error) {
    // Values nest as deep as there are tokens, and the parser recurses.
    if (error instanceof RangeError)
      throw new GraphQLError('The document is nested too deeply to be read.', {
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      })
    if (!(error instanceof GraphQLError)) throw error
    if (error.message.includes(`more that ${maxTokens} tokens`))
      throw new GraphQLError(`The document is longer than allowed: at most ${maxTokens} tokens.`, {
        extensions: { code: 'BAD_USER_INPUT', limit: 'tokens', max: maxTokens },
      })
    throw new GraphQLError(error.message, {
      nodes: error.nodes,
      source: error.source,
      positions: error.positions,
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    })
  }
}

function refuseConditionalRoot(operation: OperationDefinitionNode, document: DocumentNode): void {
  const visited = new Set<string>()
  const check = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include'))
        throw new GraphQLError('@skip and @include cannot stand at the root of a subscription.', {
          nodes: selection,
          extensions: { code: 'BAD_USER_INPUT' },
        })
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet.selections)
      if (selection.kind !== Kind.FRAGMENT_SPREAD || visited.has(selection.name.value)) continue
      visited.add(selection.name.value)
      for (const definition of document.definitions)
        if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value)
          check(definition.selectionSet.selections)
    }
  }
  check(operation.selectionSet.selections)
}

function refuseIntrospection(document: DocumentNode): void {
  const check = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD && INTROSPECTION_FIELDS.has(selection.name.value))
        throw new GraphQLError(
          'Introspection is off here. The schema is in schema/graphql of the project; NODE_ENV=development turns it on.',
          { nodes: selection, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
        )
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined)
        check(selection.selectionSet)
    }
  }
  for (const definition of document.definitions)
    if ('selectionSet' in definition) check(definition.selectionSet)
}
