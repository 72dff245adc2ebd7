import { createHash } from 'node:crypto'
import { HeaderMap } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'

/** How a request says what to run: by its text, by the id of a text that is known, or by both. */
export interface DocumentReference {
  readonly query: string | undefined
  /** `extensions.persistedQuery` of Apollo's protocol, as it came. */
  readonly persistedQuery: unknown
  /** `documentId` of the GraphQL over HTTP draft, as it came. */
  readonly documentId: unknown
}

/** A text to run, with the id to remember it by, if its client wants that. */
export interface FoundDocument {
  readonly query: string
  readonly keepAs: string | undefined
}

/** Texts of documents that clients call by an id. */
export interface PersistedDocuments {
  /**
   * Finds the text of a request; undefined when it names none. Throws a GraphQLError: PERSISTED_QUERY_NOT_FOUND for an
   * id that is not known (the client then sends the text too), BAD_USER_INPUT for an id that is none or not that of the
   * text, FORBIDDEN for all that is not listed when only listed documents run.
   */
  find(reference: DocumentReference): FoundDocument | undefined
  /** Remembers a text that may run. */
  keep(found: FoundDocument): void
}

/** Longer texts are not kept, so that the cache is bounded in bytes too; their clients send them each time. */
const MAX_KEPT_QUERY_LENGTH = 16_384

const SHA256 = /^[0-9a-f]{64}$/

/**
 * Creates the persisted documents of a gateway. Without a list any client may add one (automatically persisted queries,
 * at most `maxKept`, those used last); with one, by id, only those run.
 */
export function createPersistedDocuments({
  listed,
  maxKept,
}: {
  listed: ReadonlyMap<string, string> | null
  maxKept: number
}): PersistedDocuments {
  return listed === null ? createAutomatic(maxKept) : createListed(listed)
}

function createAutomatic(maxKept: number): PersistedDocuments {
  const kept = createBoundedCache<string, string>(maxKept)
  return {
    find(reference) {
      const { query } = reference
      const id = readId(reference)
      if (id === undefined) return query === undefined ? undefined : { query, keepAs: undefined }
      if (!SHA256.test(id)) throw badId('The id of the document is not a SHA-256 of 64 hexadecimal digits.')
      if (query !== undefined) {
        if (hash(query) !== id) throw badId('The id of the document is not the SHA-256 of the query.')
        return { query, keepAs: id }
      }
      const known = kept.get(id)
      if (known === undefined) throw notFound()
      return { query: known, keepAs: undefined }
    },
    keep({ query, keepAs }) {
      if (keepAs !== undefined && query.length <= MAX_KEPT_QUERY_LENGTH) kept.set(keepAs, query)
    },
  }
}

function createListed(listed: ReadonlyMap<string, string>): PersistedDocuments {
  const texts = new Set(listed.values())
  return {
    find(reference) {
      const { query } = reference
      const id = readId(reference)
      if (id === undefined && query === undefined) return undefined
      const known = id === undefined ? undefined : listed.get(id)
      if (known !== undefined && (query === undefined || query === known))
        return { query: known, keepAs: undefined }
      if (id === undefined && query !== undefined && texts.has(query)) return { query, keepAs: undefined }
      throw new GraphQLError('Only the listed documents run here: send the id of one.', {
        extensions: { code: 'FORBIDDEN', limit: 'persistedDocuments', http: { status: 403 } },
      })
    },
    keep() {},
  }
}

/** Undefined when the request names none. */
function readId({ persistedQuery, documentId }: DocumentReference): string | undefined {
  if (persistedQuery !== undefined && persistedQuery !== null) {
    if (typeof persistedQuery !== 'object' || !('sha256Hash' in persistedQuery))
      throw badId('extensions.persistedQuery is not { version: 1, sha256Hash }.')
    if (!('version' in persistedQuery) || persistedQuery.version !== 1)
      throw badId('Of extensions.persistedQuery only version 1 is known.')
    return String(persistedQuery.sha256Hash)
  }
  if (documentId === undefined || documentId === null) return undefined
  if (typeof documentId !== 'string') throw badId('documentId is not a string.')
  return documentId.replace(/^sha256:/, '')
}

function hash(query: string): string {
  return createHash('sha256').update(query).digest('hex')
}

function badId(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } })
}

/** Word for word what Apollo Server says: client libraries act on it. */
function notFound(): GraphQLError {
  return new GraphQLError('PersistedQueryNotFound', {
    extensions: {
      code: 'PERSISTED_QUERY_NOT_FOUND',
      http: {
        status: 200,
        headers: new HeaderMap([['cache-control', 'private, no-cache, must-revalidate']]),
      },
    },
  })
}
