import { batch, computed, signal } from '@preact/signals'
import { parsePath } from './parse-path.ts'
import type { RouteEntry } from './route-entry.ts'

const table = signal<readonly RouteEntry[]>([])
const path = signal(location.pathname)
const search = signal(location.search)

/** The route of the address, with the parts of its path; undefined where there is no page. */
export const currentRoute = computed(() => {
  for (const entry of table.value) {
    const params = parsePath(entry.path, path.value)
    if (params !== undefined) return { entry, params }
  }
  return undefined
})

/** Path of the address, without search and fragment. */
export const currentPath = computed(() => path.value)

/** Search of the address, with its question mark, or empty. */
export const currentSearch = computed(() => search.value)

/** Says which pages there are: before anything is shown. */
export function setRoutes(routes: readonly RouteEntry[]): void {
  table.value = routes
}

/** Goes to an address of the dashboard. `isReplacing` leaves no step behind in the history. */
export function navigate(href: string, { isReplacing = false } = {}): void {
  if (isReplacing) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  const isOtherPath = location.pathname !== path.peek()
  read()
  if (isOtherPath && !isReplacing) scrollTo(0, 0)
}

/** Parts of the path of the page: `useParams().deviceId`. A part that its pattern does not have is empty. */
export function useParams<Name extends string>(): Readonly<Record<Name, string>> {
  return new Proxy({} as Record<Name, string>, {
    get: (_, name) => currentRoute.value?.params[String(name)] ?? '',
  })
}

/** Follows the history and takes presses on links to pages. Returns its stopper. */
export function startRouter(): () => void {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.origin !== location.origin || link.hasAttribute('download')) return
    if (link.target !== '' && link.target !== '_self') return
    if (link.getAttribute('href')?.startsWith('#') !== false) return
    const isPage =
      link.pathname === '/' || table.peek().some(entry => parsePath(entry.path, link.pathname) !== undefined)
    if (!isPage) return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  }
  addEventListener('popstate', read)
  document.addEventListener('click', follow)
  return () => {
    removeEventListener('popstate', read)
    document.removeEventListener('click', follow)
  }
}

function read(): void {
  batch(() => {
    path.value = location.pathname
    search.value = location.search
  })
}
