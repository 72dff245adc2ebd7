import { computed, effect, signal } from '@preact/signals'
import { connection } from '../graphql/connection.ts'
import { keepConnected } from '../graphql/live.ts'
import { request, sessionState, signOut, startSession, viewer } from '../graphql/session.ts'
import type { AppSession, SessionState } from './app-session.ts'
import type { ConnectionState } from './connection.ts'
import type { CurrentSpace } from './space-context.ts'
import { SpacesDocument } from './spaces.generated.ts'

type Spaces = readonly CurrentSpace[] | 'failed' | undefined

const spaces = signal<Spaces>(undefined)

/** How the page hears of news. */
export const connectionState = computed(readConnection)

/** Loads the spaces of the person anew: to be called once one was made, joined, renamed or left. */
export async function reloadSpaces(): Promise<void> {
  try {
    const { data } = await request(SpacesDocument, {})
    spaces.value = data.spaces.nodes
  } catch {
    spaces.value ??= 'failed'
  }
}

/** Takes up the session of the browser and says how it stands; the socket is opened as soon as somebody is signed in. */
export function startProductSession(): AppSession {
  effect(() => {
    const state = sessionState.value
    if (state === 'signed-in') {
      keepConnected()
      void reloadSpaces()
    } else spaces.value = undefined
  })
  void startSession()
  return {
    state: computed(readState),
    connection: connectionState,
    signOut: () => void signOut().catch(() => {}),
  }
}

function readState(): SessionState {
  if (sessionState.value === 'signed-out') return { kind: 'signed-out' }
  if (viewer.value === null || spaces.value === undefined) return { kind: 'loading' }
  if (spaces.value === 'failed') return { kind: 'failed', retry: () => void reloadSpaces() }
  return { kind: 'signed-in', viewer: viewer.value, spaces: spaces.value }
}

function readConnection(): ConnectionState {
  const { state, since } = connection.value
  if (state === 'reconnecting' || state === 'offline') return { kind: state, since }
  return { kind: 'live' }
}
