import type { GraphQLError } from 'graphql'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { parseCursor } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import type { Admission, AdmittedDocument } from '../limits/admission.ts'
import { createLimitError, formatCount } from '../limits/limit-error.ts'
import type { Connections } from './connections.ts'
import type { SubscriptionRequest } from './subscription-hub.ts'
import type { SubscriptionPlanner } from './subscription-planner.ts'

/** A subscription that may run, and has been paid for. */
export interface PreparedSubscription {
  readonly request: SubscriptionRequest
  /** Takes it out of its caller's count; to be called when it is over, or never ran. */
  release(): void
}

/** What of a subscription its document does not say. */
export interface SubscriptionCall {
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** As it came. */
  readonly resumeAfter: unknown
  /** All that is kept of it as long as it lasts. */
  readonly kept: object
  /** See limits/caller.ts. */
  readonly caller: string
}

/**
 * Plans, charges and counts a subscription, over whatever transport it came.
 *
 * Answers the GraphQLErrors that forbid to run it, if there are any. Throws what Admission.charge and
 * Connections.admitSubscription throw, and BAD_USER_INPUT when `resumeAfter` is there and no cursor or there is too
 * much to keep.
 */
export function prepareSubscription(
  {
    planner,
    admission,
    connections,
    limits,
  }: {
    planner: SubscriptionPlanner
    admission: Admission
    connections: Connections
    limits: Pick<GatewayLimits, 'maxSubscriptionText'>
  },
  read: AdmittedDocument,
  { operationName, variables, resumeAfter, kept, caller }: SubscriptionCall,
): PreparedSubscription | readonly GraphQLError[] {
  checkSize(kept, limits.maxSubscriptionText)
  const plan = planner.plan(read.query, operationName, read, variables)
  if (!('primary' in plan)) return plan
  admission.charge(read.document, read.operation, variables, caller)
  const request = { plan, variables, resumeAfter: requireCursor(resumeAfter) }
  return { request, release: connections.admitSubscription(caller) }
}

function checkSize(kept: object, max: number): void {
  if (JSON.stringify(kept).length <= max) return
  throw createLimitError(
    'subscriptionText',
    max,
    `The subscription is longer than allowed: at most ${formatCount(max)} characters with its variables.`,
  )
}

function requireCursor(resumeAfter: unknown): string | null | undefined {
  if (resumeAfter === undefined || resumeAfter === null) return resumeAfter
  if (typeof resumeAfter !== 'string')
    throw new AppError('BAD_USER_INPUT', 'extensions.resumeAfter is not a cursor.')
  parseCursor(resumeAfter)
  return resumeAfter
}
