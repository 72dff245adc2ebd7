import type { ComponentType } from 'preact'

export type Frame = 'space' | 'bare' | 'account'

/** A page and the addresses it answers. */
export type RouteEntry = {
  /** Pattern: `:name` takes one part of the path. */
  path: string
  page: ComponentType
  /** In the shell of a space, signed in but without a shell, or for people who need not be signed in. */
  frame: Frame
}
