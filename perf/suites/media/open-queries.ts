import { graphqlData } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import { quantile } from '../../runner/statistics.ts'
import { QUERIES, QUERIES_PER_SECOND } from './media-plan.ts'

/** What people's queries came to. */
export interface QueriesResult {
  readonly answered: number
  readonly failed: number
  readonly firstFailure: string | null
  /** From when a query was due. */
  readonly p95Ms: number
}

/** Sends queries open-loop, one when it is due whatever became of the others, until it is told to end. */
export function openQueries(url: string, token: string, spaceId: string): () => Promise<QueriesResult> {
  const intervalMs = 1_000 / QUERIES_PER_SECOND
  const startedAt = performance.now()
  const latenciesMs: number[] = []
  const pending = new Set<Promise<void>>()
  let [count, failed] = [0, 0]
  let firstFailure: string | null = null

  function send(): void {
    const dueAt = startedAt + count * intervalMs
    const query = QUERIES[count++ % QUERIES.length] ?? ''
    const one = graphqlData(url, query, { token, variables: { spaceId } })
      .then(
        () => void latenciesMs.push(performance.now() - dueAt),
        error => {
          failed++
          firstFailure ??= String(error)
        },
      )
      .finally(() => pending.delete(one))
    pending.add(one)
  }

  const timer = setInterval(() => {
    while (startedAt + count * intervalMs <= performance.now()) send()
  }, 10)
  return async () => {
    clearInterval(timer)
    await Promise.all(pending)
    return { answered: latenciesMs.length, failed, firstFailure, p95Ms: quantile(latenciesMs, 0.95) }
  }
}
