import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
  validate,
} from 'graphql'
import { withDeadline } from '../deadline.ts'
import type { Logger } from '../logger.ts'
import { mapAsyncIterator } from '../map-async-iterator.ts'
import { createTextCache } from '../text-cache.ts'
import { type CompiledOperation, compileOperation, type RunOptions } from './compiled/compiled-operation.ts'
import { createMark, cursorOf, markOf, opensWithMark, type StreamMark } from './event-cursor.ts'
import type { Subgraph, SubgraphReply, SubgraphRequest } from './subgraph.ts'
import { formatSubgraphError, type SubgraphErrorSite, toGraphqlError } from './subgraph-error.ts'

/** An operation as the gateway's plan sends it to a subgraph. */
export interface SubgraphOperation {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

/**
 * A subgraph's answer, ready to leave it. `data` is absent when the operation was refused as a whole, and in a mark,
 * which has no errors either.
 */
export interface SubgraphResult {
  data?: Record<string, unknown> | null
  errors?: readonly GraphQLFormattedError[]
  extensions?: {
    /** Of the events of a subscription whose source has cursors, and of its marks. */
    cursor?: string
    /** No event, but where the stream stands. */
    isMark?: true
    /** Events may be missing before this mark. */
    isGap?: true
    /** From role to role, of an operation that wants more than its data told. */
    reply?: SubgraphReply
  }
}

/** Runs operations against one subgraph. */
export interface SubgraphExecutor {
  /** Runs a query or mutation; never rejects. */
  execute(operation: SubgraphOperation, contextValue: unknown, requestId: string): Promise<SubgraphResult>
  /**
   * Opens a subscription; never rejects. `readRequest` is asked again for each event, whose context is made anew.
   *
   * The first result of one that was opened is a mark, which says where it begins when its source has cursors. A
   * refused subscription yields its errors alone, without data, and ends. A source that dies makes `next()` reject with a
   * GraphQLError that carries its code. `return()` closes the source at once.
   */
  subscribe(
    operation: SubgraphOperation,
    readRequest: () => SubgraphRequest,
  ): Promise<AsyncGenerator<SubgraphResult, undefined>>
}

/** A valid document and what is run of it. */
interface ReadOperation {
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly compiled: CompiledOperation | undefined
}

/** Queries longer than this are not kept, so that the cache is bounded in bytes too. */
const MAX_KEPT_QUERY_LENGTH = 16_384

/** How long a source may take to open a subscription. */
const OPEN_DEADLINE_MS = 10_000

/** Creates the executor of a subgraph; each distinct query is parsed, validated and compiled once (cache of `maxDocuments`, 1,000). */
export function createSubgraphExecutor(
  subgraph: Subgraph,
  { logger, maxDocuments = 1_000 }: { logger: Logger; maxDocuments?: number },
): SubgraphExecutor {
  const { name, schema } = subgraph
  const documents = createTextCache<ReadOperation>(maxDocuments)

  /** Returns the operation, or the errors that forbid to run it. */
  function readOperation(
    query: string,
    operationName: string | undefined,
  ): ReadOperation | readonly GraphQLError[] {
    const kept = documents.get(query)
    if (kept !== undefined && kept.operationName === operationName) return kept
    try {
      const document = parse(query, { noLocation: true })
      const errors = validate(schema, document)
      if (errors.length > 0) return errors
      const compiled = compileOperation(schema, document, operationName)
      const operation = { operationName, document, compiled }
      if (query.length <= MAX_KEPT_QUERY_LENGTH) documents.set(query, operation)
      return operation
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The query cannot be read.')]
    }
  }

  async function run(
    { document, compiled, operationName }: ReadOperation,
    options: RunOptions,
    site: SubgraphErrorSite,
  ): Promise<SubgraphResult> {
    const { data, errors } = await (compiled?.run(options) ??
      execute({ schema, document, operationName, ...options }))
    if (data === undefined) return refusal(errors ?? [])
    return errors === undefined ? { data } : { data, errors: errors.map(e => formatSubgraphError(e, site)) }
  }

  return {
    async execute({ query, variables, operationName }, contextValue, requestId) {
      const operation = readOperation(query, operationName)
      if (!isReadOperation(operation)) return refusal(operation)
      const options = { contextValue, variableValues: variables }
      return run(operation, options, { logger, subgraph: name, requestId })
    },

    async subscribe({ query, variables, operationName }, readRequest) {
      const operation = readOperation(query, operationName)
      if (!isReadOperation(operation)) return once(refusal(operation))
      const request = readRequest()
      const site = { logger, subgraph: name, requestId: request.requestId }
      const { document } = operation
      const args = { schema, document, variableValues: variables, operationName }
      const stream = await openStream({ ...args, contextValue: subgraph.createContext(request) })
      if (!isAsyncIterable(stream)) return once(streamRefusal(stream.errors ?? [], site))
      return mapAsyncIterator(
        opensWithMark(stream) ? stream[Symbol.asyncIterator]() : afterMark(stream[Symbol.asyncIterator]()),
        async rootValue => {
          const mark = markOf(rootValue)
          if (mark !== undefined) return toMarkResult(mark)
          const contextValue = subgraph.createContext(readRequest())
          const result = await run(operation, { rootValue, contextValue, variableValues: variables }, site)
          const cursor = cursorOf(rootValue)
          return cursor === undefined ? result : { ...result, extensions: { cursor } }
        },
        error => toGraphqlError(error, site),
      )
    },
  }
}

/** Puts a mark without a cursor before what the source yields; there at once, whatever the source does. */
function afterMark(source: AsyncIterator<unknown>): AsyncIterator<unknown> {
  let isOpened = false
  return {
    async next() {
      if (isOpened) return source.next()
      isOpened = true
      return { done: false, value: createMark(undefined, false) }
    },
    async return() {
      await source.return?.()
      return { done: true, value: undefined }
    },
  }
}

function toMarkResult({ cursor, isGap }: StreamMark): SubgraphResult {
  return {
    extensions: { ...(cursor !== undefined && { cursor }), isMark: true, ...(isGap && { isGap }) },
  }
}

/** graphql-js throws some refusals (such as bad variables in directives) that it answers elsewhere. */
async function openStream(args: ExecutionArgs): Promise<AsyncIterable<unknown> | ExecutionResult> {
  const opening = (async () => createSourceEventStream(args))()
  try {
    return await withDeadline('The subscription', OPEN_DEADLINE_MS, () => opening)
  } catch (error) {
    void opening.then(letGo, () => {})
    return { errors: [new GraphQLError('The subscription failed.', { originalError: toError(error) })] }
  }
}

/** Closes a stream that came too late. */
function letGo(late: AsyncIterable<unknown> | ExecutionResult): void {
  if (isAsyncIterable(late))
    void late[Symbol.asyncIterator]()
      .return?.()
      .catch(() => {})
}

function streamRefusal(errors: readonly GraphQLError[], site: SubgraphErrorSite): SubgraphResult {
  const isResolverError = errors.some(error => error.originalError !== undefined || error.path !== undefined)
  return isResolverError ? { errors: errors.map(e => formatSubgraphError(e, site)) } : refusal(errors)
}

/** What graphql-js refuses before it runs anything is wrong with the request. */
function refusal(errors: readonly GraphQLError[]): SubgraphResult {
  return { errors: errors.map(({ message }) => ({ message, extensions: { code: 'BAD_USER_INPUT' } })) }
}

function isReadOperation(value: ReadOperation | readonly GraphQLError[]): value is ReadOperation {
  return 'document' in value
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new TypeError(`Expected an Error to be thrown, got ${String(thrown)}`)
}

async function* once(result: SubgraphResult): AsyncGenerator<SubgraphResult, undefined> {
  yield result
}
