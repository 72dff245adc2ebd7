import type { HttpPath } from '../../shared/http/http-handoff.ts'
import type { Site, Stores } from '../../shared/site.ts'
import { endMail } from './settings-change.ts'
import { createUnsubscribeTokens } from './unsubscribe.ts'
import { createUnsubscribePage, UNSUBSCRIBE_PREFIX } from './unsubscribe-page.ts'

/** Answers the links that end mail of alerts. */
export function createUnsubscribePath(
  { internalSecret, logger }: Site,
  { db }: Pick<Stores, 'db'>,
): HttpPath {
  const tokens = createUnsubscribeTokens({ secret: internalSecret })
  const handler = createUnsubscribePage({ tokens, endMail: whose => endMail(db, whose), logger })
  return { prefix: UNSUBSCRIBE_PREFIX, handler }
}
