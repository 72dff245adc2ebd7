import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import type { VerifyAccessToken } from '../authentication.ts'

/** Who is behind a WebSocket, for how long. */
export interface SocketSession {
  /** Null until a token was shown at connection_init. */
  readonly viewer: Viewer | null
  /** Sets the viewer of the connection_init; calls `onExpired` when their token expires. */
  begin(viewer: Viewer | null): void
  /**
   * Replaces the viewer by that of a new token of the same user, and so its expiry. Another user's token, and one that
   * is not valid, change nothing; answers whether it was the same. Rejects when the token cannot be verified.
   */
  renew(accessToken: string): Promise<boolean>
  [Symbol.dispose](): void
}

/** Longest time that a timer can wait, about 24 days; longer-lived tokens are looked at again then. */
const MAX_TIMER_MS = 2_147_483_647

/** Creates the session of a socket without a viewer. */
export function createSocketSession({
  verifyAccessToken,
  onExpired,
}: {
  verifyAccessToken: VerifyAccessToken
  onExpired: () => void
}): SocketSession {
  let viewer: Viewer | null = null
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  function watchExpiry(): void {
    clearTimeout(timer)
    if (viewer === null || isOver) return
    const leftMs = viewer.expiresAt - Date.now()
    if (leftMs <= 0) onExpired()
    else timer = setTimeout(watchExpiry, Math.min(leftMs, MAX_TIMER_MS))
  }

  return {
    get viewer() {
      return viewer
    },
    begin(initial) {
      viewer = initial
      watchExpiry()
    },
    async renew(accessToken) {
      const renewed = await verifyAccessToken(accessToken)
      if (viewer?.kind !== 'user' || renewed.kind !== 'user' || renewed.userId !== viewer.userId) return false
      viewer = renewed
      watchExpiry()
      return true
    },
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
