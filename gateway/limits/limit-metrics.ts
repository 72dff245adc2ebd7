import { GraphQLError } from 'graphql'
import { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'

/** What is counted of the limits. */
export interface LimitMetrics {
  /** Counts what was thrown if it says which limit was broken. */
  countRefusal(thrown: unknown): void
  observeCost(cost: number): void
  countUnavailable(): void
}

/** Registers the metrics of the limits. */
export function createLimitMetrics(metrics: Metrics): LimitMetrics {
  const registers = [metrics]
  const refusals = new Counter({
    name: 'nuvion_gateway_refused_total',
    help: 'Operations that broke a limit, by limit. Rising: someone attacks, or a client has outgrown the limit.',
    labelNames: ['limit'],
    registers,
  })
  const costs = new Histogram({
    name: 'nuvion_gateway_operation_cost',
    help: 'Cost of operations: the values that their largest answer would have. Rising: clients ask for more at once.',
    buckets: [10, 100, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000],
    registers,
  })
  const unavailable = new Counter({
    name: 'nuvion_gateway_budget_unavailable_total',
    help: 'Times that Redis could not be told of points or sign-ins. Rising: each gateway counts for itself alone.',
    registers,
  })
  return {
    countRefusal(thrown) {
      const limit = thrown instanceof GraphQLError ? thrown.extensions.limit : undefined
      if (typeof limit === 'string') refusals.inc({ limit })
    },
    observeCost: cost => costs.observe(cost),
    countUnavailable: () => unavailable.inc(),
  }
}
