import '../ui/tokens.css'
import '../ui/base.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { startLanguage } from '../i18n/language.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { ForbiddenState } from '../ui/forbidden-state.tsx'
import { KeyboardHelp } from '../ui/keyboard-help.tsx'
import { startShortcuts } from '../ui/shortcuts.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { startTheme } from '../ui/theme.ts'
import { Toasts } from '../ui/toast.tsx'
import type { AppSession } from './app-session.ts'
import { BareFrame } from './bare-frame.tsx'
import { readLastSpace, writeLastSpace } from './last-space.ts'
import { messages } from './messages.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { currentPath, currentRoute, currentSearch, navigate, setRoutes, startRouter } from './router.ts'
import { routes } from './routes.ts'
import { Shell } from './shell.tsx'
import { SpaceContext } from './space-context.ts'

/** The dashboard: the page of the address in its frame, and what stands beside all pages. */
export function App({ session }: { session: AppSession }) {
  useState(() => setRoutes(routes))
  useEffect(() => {
    const stoppers = [startTheme(), startLanguage(), startShortcuts(), startRouter()]
    return () => {
      for (const stop of stoppers) stop()
    }
  }, [])
  return (
    <>
      <Framed session={session} />
      <Toasts />
      <KeyboardHelp />
      <RouteAnnouncer />
    </>
  )
}

function Framed({ session }: { session: AppSession }) {
  const route = currentRoute.value
  const path = currentPath.value
  const state = session.state.value
  if (route?.entry.frame === 'account')
    return (
      <BareFrame>
        <PageBoundary key={path}>
          <route.entry.page />
        </PageBoundary>
      </BareFrame>
    )
  if (state.kind === 'signed-out')
    return (
      <Redirect
        to={`/sign-in${path === '/' ? '' : `?next=${encodeURIComponent(path + currentSearch.value)}`}`}
      />
    )
  if (state.kind === 'loading' || state.kind === 'failed')
    return (
      <BareFrame>
        {state.kind === 'loading' ? <Skeleton rows={4} height={28} /> : <ErrorState onRetry={state.retry} />}
      </BareFrame>
    )

  const spaceId = route?.params.spaceId
  const wanted = spaceId ?? readLastSpace()
  const space =
    state.spaces.find(({ id }) => id === wanted) ?? (spaceId === undefined ? state.spaces[0] : undefined)
  if (path === '/')
    return (
      <Redirect to={space === undefined ? '/welcome' : `/spaces/${encodeURIComponent(space.id)}/board`} />
    )
  if (space !== undefined) writeLastSpace(space.id)
  const page =
    route === undefined ? (
      <NotFoundPage />
    ) : space === undefined && spaceId !== undefined ? (
      <ForbiddenState action={<a href="/">{messages.toStart}</a>} />
    ) : (
      <PageBoundary key={path}>
        <route.entry.page />
      </PageBoundary>
    )
  const shown = <SpaceContext.Provider value={space}>{page}</SpaceContext.Provider>
  const bare = (content: ComponentChildren) => <BareFrame onSignOut={session.signOut}>{content}</BareFrame>
  const shellSpace = space ?? state.spaces[0]
  if (route?.entry.frame === 'bare') return path === '/welcome' ? bare(shown) : shown
  if (shellSpace === undefined) return bare(shown)
  return (
    <Shell
      viewer={state.viewer}
      space={shellSpace}
      spaces={state.spaces}
      connection={session.connection}
      onSignOut={session.signOut}
    >
      {shown}
    </Shell>
  )
}

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { isReplacing: true }), [to])
  return null
}
