import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Role } from '../graphql/schema-types.generated.ts'

/** The space that the page is about, as the signed-in person sees it. */
export type CurrentSpace = { id: string; name: string; timezone: string; viewerRole: Role | null }

export const SpaceContext = createContext<CurrentSpace | undefined>(undefined)

/** The space of the page. A TypeError outside of a page of a space. */
export function useSpace(): CurrentSpace {
  const space = useContext(SpaceContext)
  if (space === undefined) throw new TypeError('Expected to be within a page of a space.')
  return space
}
