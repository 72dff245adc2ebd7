import { computed, effect, signal } from '@preact/signals'
import { connection } from '../graphql/connection.ts'
import { keepConnected } from '../graphql/live.ts'
import { onRefused, request, sessionState, signOut, startSession, viewer } from '../graphql/session.ts'
import { showToast } from '../ui/toast.tsx'
import type { AppSession, SessionState } from './app-session.ts'
import type { ConnectionState } from './connection.ts'
import { messages } from './messages.ts'
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
  // Others change what one may do: it is asked anew when a request was refused, and when the page is looked at again.
  const isSignedIn = () => sessionState.peek() === 'signed-in'
  onRefused(() => void (isSignedIn() && reloadSpaces()))
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isSignedIn()) void reloadSpaces()
  })
  void startSession()
  return {
    state: computed(readState),
    connection: connectionState,
    signOut: () => void signOut().catch(() => showToast('error', messages.signOutFailed)),
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
