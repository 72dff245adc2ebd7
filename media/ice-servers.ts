import { createHmac } from 'node:crypto'
import type { IceServer } from '../subgraphs/shared/media-port.ts'

/** TURN servers that share `secret` with us, as coturn's `use-auth-secret`. */
export interface TurnConfig {
  /** `turn:host:port?transport=udp`, `turns:…`. */
  readonly urls: readonly string[]
  readonly secret: string
}

/** How long credentials are good for, in milliseconds: a relayed session longer than that renews them with its ICE. */
const LIFETIME_MS = 12 * 60 * 60_000

/**
 * Makes the ICE servers of one session: none without TURN, else its servers with a name that expires and its HMAC-SHA1
 * (draft-uberti-behave-turn-rest-00), so that a TURN server needs no accounts and what leaks is soon worthless.
 */
export function makeIceServers(
  turn: TurnConfig | null,
  sessionId: string,
  now = Date.now(),
): readonly IceServer[] {
  if (turn === null) return []
  const username = `${Math.floor((now + LIFETIME_MS) / 1000)}:${sessionId}`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  return [{ urls: turn.urls, username, credential }]
}
