import { SUBGRAPH_NAMES } from '../../schema/graphql/subgraph-sdl.ts'
import type { Config } from './config.ts'

/** Roles of the process where people's connections end. A subgraph is a role of its own name. */
export const FRONT_ROLES = ['gateway', ...SUBGRAPH_NAMES, 'media'] as const

/** Roles of the process that takes what devices send. */
export const BACK_ROLES = ['stomp', 'ingest', 'worker'] as const

/** Roles that one process may take, alone or together; `all` is every one of them in two processes. */
export const ROLES = [...FRONT_ROLES, ...BACK_ROLES] as const

/** Name of a role. */
export type Role = (typeof ROLES)[number]

/**
 * Parses the arguments of the program; none are `all`. Throws an Error that says what to start instead when there is no
 * such role, or when what a role needs is neither beside it nor configured.
 */
export function parseRoles(
  args: readonly string[],
  { subgraphUrls }: Pick<Config, 'subgraphUrls'>,
): readonly Role[] {
  const unknown = args.filter(arg => arg !== 'all' && !ROLES.some(role => role === arg))
  if (unknown.length > 0)
    throw new Error(`There is no role ${unknown.join(', ')}. Roles: all, ${ROLES.join(', ')}.`)
  if (args.length === 0 || args.includes('all')) return ROLES
  const roles = ROLES.filter(role => args.includes(role))
  const subgraphs = SUBGRAPH_NAMES.filter(name => roles.includes(name))
  if (!roles.includes('gateway') && subgraphs.length > 1) {
    const names = new Intl.ListFormat('en-GB').format(subgraphs)
    throw new Error(`${names} without gateway need a process each.`)
  }
  for (const name of SUBGRAPH_NAMES) {
    if (!roles.includes('gateway') || roles.includes(name) || subgraphUrls[name] !== null) continue
    throw new Error(`The gateway needs ${name.toUpperCase()}_URL, or the role ${name} beside it.`)
  }
  return roles
}
