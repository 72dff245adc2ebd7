import { ask, mutate, type Session, signIn } from './site-api.ts'
import type { Person } from './world/world-state.ts'

/** People who ask queries. Dispose signs them out. */
export interface Readers extends AsyncDisposable {
  tokens(): readonly string[]
  /** Tells whenever there are new tokens. */
  onRenewed(listener: () => void): void
}

/** Access tokens live 15 minutes. */
const REFRESH_INTERVAL_MS = 10 * 60_000

/** Signs people in, and renews their sessions before they end. */
export async function signInReaders(url: string, people: readonly Person[]): Promise<Readers> {
  const sessions: Session[] = []
  for (const person of people) sessions.push(await signIn(url, person))
  let listener = () => {}
  const timer = setInterval(async () => {
    for (const [i, { refreshToken }] of sessions.entries()) {
      const selection = 'accessToken refreshToken'
      const renewed = await mutate<Session>(url, null, 'refreshSession', { refreshToken }, selection).catch(
        () => null,
      )
      if (renewed !== null) sessions[i] = renewed
    }
    listener()
  }, REFRESH_INTERVAL_MS)
  return {
    tokens: () => sessions.map(({ accessToken }) => accessToken),
    onRenewed(told) {
      listener = told
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      for (const { accessToken } of sessions)
        await ask(url, accessToken, 'mutation { signOut { signedOut } }').catch(() => {})
    },
  }
}
