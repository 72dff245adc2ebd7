import type { LiveSocket } from './live-socket.ts'

/** Before the 15 minutes of an access token are over. */
const REFRESH_INTERVAL_MS = 10 * 60_000

const REFRESH = `mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) {
  accessToken refreshToken userErrors { code message } } }`

/** A person's session, whose tokens are new ones from time to time. */
export interface KeptSession {
  readonly accessToken: string
  /** Renews the session over this socket as long as it is open, so that it outlives its first token. */
  keep(socket: LiveSocket): void
  /** Ends the renewing. */
  stop(): void
}

/** Keeps a session; `onFailure` is told what went wrong. */
export function keepSession(
  session: { readonly accessToken: string; readonly refreshToken: string },
  onFailure: (problem: string) => void,
): KeptSession {
  let { accessToken, refreshToken } = session
  let timer: NodeJS.Timeout | undefined
  const renew = async (socket: LiveSocket): Promise<void> => {
    const data = await socket.ask(REFRESH, { input: { refreshToken } })
    const renewed = data.refreshSession as { accessToken: string | null; refreshToken: string | null }
    if (renewed.accessToken === null || renewed.refreshToken === null)
      throw new Error(JSON.stringify(renewed))
    accessToken = renewed.accessToken
    refreshToken = renewed.refreshToken
  }
  return {
    get accessToken() {
      return accessToken
    },
    keep(socket) {
      clearInterval(timer)
      timer = setInterval(
        () => renew(socket).catch(error => onFailure(`refresh: ${error.message}`)),
        REFRESH_INTERVAL_MS,
      )
    },
    stop: () => clearInterval(timer),
  }
}
