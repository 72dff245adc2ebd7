import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, ask } from './site-api.ts'

const PAGE = 100
const MAX_ATTEMPTS = 20
const RETRY_MS = 1_000

/** Ids of all logs and anomalies that the product keeps of a range, as its lists tell them. */
export async function* listKeptEvents(options: {
  readonly url: string
  readonly token: string
  readonly spaceId: string
  readonly from: Date
  readonly to: Date
}): AsyncGenerator<string> {
  const { url, token, spaceId, from, to } = options
  const filter = { from: from.toISOString(), to: to.toISOString() }
  for (const [field, type] of [
    ['logs', 'LogFilter'],
    ['anomalies', 'AnomalyFilter'],
  ] as const) {
    const query = `query ($spaceId: ID!, $filter: ${type}, $after: String) { ${field}(spaceId: $spaceId, filter: $filter, first: ${PAGE}, after: $after) {
      nodes { id message } pageInfo { hasNextPage endCursor } } }`
    let after: string | null = null
    do {
      const data: Record<string, Page> = await askPatiently(url, token, query, { spaceId, filter, after })
      const page = data[field]
      if (page === undefined) throw new Error(`${field} was not answered.`)
      for (const { id, message } of page.nodes) if (!message?.startsWith('probe:')) yield id
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    } while (after !== null)
  }
}

/** Whoever reads everything spends more points than people do, and waits for new ones. */
async function askPatiently<T>(...question: Parameters<typeof ask<T>>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask<T>(...question)
    } catch (error) {
      const isPassing = error instanceof ApiError && /RATE_LIMITED|UNAVAILABLE/.test(error.code)
      if (!isPassing || attempt === MAX_ATTEMPTS) throw error
      await sleep(RETRY_MS)
    }
  }
}

interface Page {
  readonly nodes: readonly { id: string; message: string | null }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}
