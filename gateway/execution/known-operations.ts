import { HeaderMap, type HTTPGraphQLRequest, type HTTPGraphQLResponse } from '@apollo/server'
import type { DocumentNode } from 'graphql'
import { COST_HEADER } from '../limits/limits-plugin.ts'
import { createDocumentCache } from './document-cache.ts'
import type { OperationPlan } from './operation-plan.ts'
import type { PlanStore } from './plan-store.ts'
import type { ResultObject } from './result-object.ts'

/** A query whose document has been answered before. */
export interface KnownRequest {
  readonly document: DocumentNode
  readonly plan: OperationPlan
  readonly variables: Readonly<Record<string, unknown>>
}

/** Documents that Apollo Server has validated, by their text. */
export interface KnownOperations {
  add(source: string, document: DocumentNode): void
  /**
   * Finds the plan of a plain request: a POST of nothing but a known query, its variables and its operation's name, by a
   * client that takes JSON and asks for nothing else. Whatever is unusual about a request, or wrong with it, is Apollo Server's to judge.
   */
  find(request: HTTPGraphQLRequest): KnownRequest | undefined
}

const ACCEPTS_JSON = new Set([undefined, '*/*', 'application/json'])

/** Creates an empty set of at most `maxDocuments`. */
export function createKnownOperations(plans: PlanStore, maxDocuments: number): KnownOperations {
  const documents = createDocumentCache(maxDocuments)
  return {
    add: (source, document) => void documents.set(source, document),
    find({ method, headers, body }) {
      if (method !== 'POST' || !ACCEPTS_JSON.has(headers.get('accept')) || headers.has(COST_HEADER))
        return undefined
      if (!isRecord(body) || (body.extensions !== undefined && body.extensions !== null)) return undefined
      const { query, operationName = null, variables = null } = body
      if (typeof query !== 'string') return undefined
      if (operationName !== null && (typeof operationName !== 'string' || operationName === ''))
        return undefined
      if (variables !== null && !isRecord(variables)) return undefined
      const document = documents.get(query)
      const plan = document && findPlan(plans, document, operationName ?? undefined)
      // Of a mutation there is more to be asked: whether it signs somebody in.
      if (document === undefined || plan?.operation.operation !== 'query') return undefined
      return { document, plan, variables: variables ?? {} }
    },
  }
}

/** An operation that cannot be planned fails where its error is answered. */
function findPlan(
  plans: PlanStore,
  document: DocumentNode,
  operationName: string | undefined,
): OperationPlan | undefined {
  try {
    return plans.get(document, operationName)
  } catch {
    return undefined
  }
}

/** An answer without errors, as Apollo Server writes it. */
export function writeAnswer(data: ResultObject | null | undefined): HTTPGraphQLResponse {
  return {
    headers: new HeaderMap([['content-type', 'application/json; charset=utf-8']]),
    body: { kind: 'complete', string: `${JSON.stringify({ data })}\n` },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
