import type { GraphQLError } from 'graphql'
import type { Conditions } from '../../subgraphs/shared/graphql/compiled/operation-conditions.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { ResultObject } from './result-object.ts'

/** One run of a plan: what its steps share. */
export interface PlanExecution {
  /** Everything that was fetched, put together. */
  readonly data: ResultObject
  /** As the client sent them. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly conditions: Conditions
  readonly context: GatewayContext
  readonly errors: GraphQLError[]
}

/** A step of a plan, compiled. Adds to the run's data and errors; settles when its part is there, and never rejects. */
export type PlanStep = (execution: PlanExecution) => Promise<void>
