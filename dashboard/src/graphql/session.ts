import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { batch, signal } from '@preact/signals'
import { type AccessToken, toAccessToken } from './access-token.ts'
import { type Answer, type RequestOptions, sendRequest } from './client.ts'
import { RequestError } from './request-error.ts'
import {
  RefreshSessionDocument,
  SignInDocument,
  SignOutDocument,
  type ViewerFragment,
} from './session.generated.ts'
import type { UserProblem } from './user-problem.ts'

/** Whether somebody is signed in; `starting` until the cookie has been tried. */
export const sessionState = signal<'starting' | 'signed-in' | 'signed-out'>('starting')

/** Who is signed in. */
export const viewer = signal<ViewerFragment | null>(null)

/** A token is renewed when it is good for less than this. */
const RENEW_BEFORE_MS = 120_000

/** What is waited before the product is asked again that could not be reached. */
const RETRY_MS = 3_000

let token: AccessToken | null = null
let renewing: Promise<AccessToken | null> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const renewed = new Set<(token: string) => void>()
const ended = new Set<() => void>()
const refused = new Set<() => void>()
/** What other tabs of the browser are told: they share the cookie. */
const tabs = new BroadcastChannel('nuvion-session')

/** Takes up the session that the cookie holds, if there is one. Tries until the product can be reached. */
export async function startSession(): Promise<void> {
  tabs.onmessage = ({ data }: MessageEvent<'signed-in' | 'signed-out'>) => {
    if (data === 'signed-out') end()
    else if (sessionState.value === 'signed-out') void renew().catch(() => {})
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isStale(token)) void renew().catch(() => {})
  })
  for (;;) {
    try {
      await renew()
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Calls when a token was renewed, so that what is open goes on with it. Answers what stops that. */
export function onTokenRenewed(listener: (token: string) => void): () => void {
  renewed.add(listener)
  return () => renewed.delete(listener)
}

/** Calls when nobody is signed in any more. Answers what stops that. */
export function onSessionEnded(listener: () => void): () => void {
  ended.add(listener)
  return () => ended.delete(listener)
}

/**
 * Calls when a request or a subscription was FORBIDDEN or NOT_FOUND, as spaces are to who left them: what the person may do may have changed.
 * Answers what stops that.
 */
export function onRefused(listener: () => void): () => void {
  refused.add(listener)
  return () => refused.delete(listener)
}

/** Signs in, or answers what is wrong. Rejects with a RequestError. */
export async function signIn(email: string, password: string): Promise<readonly UserProblem[]> {
  const { data } = await sendRequest(SignInDocument, { input: { email, password, cookie: true } }, null)
  const { accessToken, user, userErrors } = data.signIn
  if (accessToken === null || user === null) return userErrors
  begin(accessToken, user)
  tabs.postMessage('signed-in')
  return []
}

/** Ends the session; with `everywhere`, all of the person's. Rejects with a RequestError, and then nothing has changed. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  await request(SignOutDocument, { input: { everywhere } })
  end()
  tabs.postMessage('signed-out')
}

/** The token to speak with, renewed if need be. Rejects with UNAUTHENTICATED when nobody is signed in. */
export async function getAccessToken({ isFresh = false } = {}): Promise<string> {
  if (!isFresh && token !== null && !isStale(token)) return token.text
  const renewedToken = await renew()
  if (renewedToken === null) throw new RequestError('UNAUTHENTICATED', 'Nobody is signed in.')
  return renewedToken.text
}

/**
 * Runs a query or a mutation for who is signed in; with nobody signed in, for nobody. A token that is not good any more
 * is renewed and the request sent again: it was refused before it did anything. Rejects as sendRequest does.
 */
export async function request<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  options?: RequestOptions,
): Promise<Answer<Data>> {
  if (sessionState.value !== 'signed-in') return sendRequest(document, variables, null, options)
  const sent = await getAccessToken()
  try {
    const answer = await sendRequest(document, variables, sent, options)
    if (answer.problem !== null) tellIfRefused(answer.problem)
    return answer
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    tellIfRefused(error)
    if (error.code !== 'UNAUTHENTICATED') throw error
    return sendRequest(document, variables, await getAccessToken({ isFresh: sent === token?.text }), options)
  }
}

/** Tells those of onRefused of a refusal: of a request, or of a subscription that has ended by one. */
export function tellIfRefused({ code }: RequestError): void {
  if (code !== 'FORBIDDEN' && code !== 'NOT_FOUND') return
  for (const listener of refused) listener()
}

function isStale(one: AccessToken | null): boolean {
  return one !== null && one.goodUntil - Date.now() < RENEW_BEFORE_MS
}

function begin(accessToken: string, user: ViewerFragment): AccessToken {
  token = toAccessToken(accessToken)
  schedule(token.goodUntil - Date.now() - RENEW_BEFORE_MS)
  batch(() => {
    viewer.value = user
    sessionState.value = 'signed-in'
  })
  for (const listener of renewed) listener(accessToken)
  return token
}

function end(): void {
  token = null
  clearTimeout(timer)
  batch(() => {
    viewer.value = null
    sessionState.value = 'signed-out'
  })
  for (const listener of ended) listener()
}

function schedule(inMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => renew().catch(() => schedule(RETRY_MS)), Math.max(inMs, RETRY_MS))
}

/** Null when there is no session. Rejects when the product cannot be reached; then the session is as it was. */
function renew(): Promise<AccessToken | null> {
  renewing ??= (async () => {
    try {
      const { data } = await sendRequest(RefreshSessionDocument, {}, null)
      const { accessToken, user } = data.refreshSession
      if (accessToken !== null && user !== null) return begin(accessToken, user)
      end()
      return null
    } finally {
      renewing = null
    }
  })()
  return renewing
}
