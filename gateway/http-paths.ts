import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'

/** Finds who answers a path. */
export interface HttpPaths {
  /** The one of the longest prefix that the path begins with. `path` is as it was sent, without its query. */
  find(path: string): HttpPath | undefined
}

/** Creates the table of paths. Throws a TypeError for a prefix without a slash at either end, or given twice. */
export function createHttpPaths(paths: readonly HttpPath[]): HttpPaths {
  const longestFirst = paths.toSorted((a, b) => b.prefix.length - a.prefix.length)
  for (const [i, { prefix }] of longestFirst.entries()) {
    if (!prefix.startsWith('/') || !prefix.endsWith('/'))
      throw new TypeError(`Expected a prefix that begins and ends with a slash, got ${prefix}.`)
    if (longestFirst.findIndex(other => other.prefix === prefix) !== i)
      throw new TypeError(`Expected each prefix once, got ${prefix} twice.`)
  }
  return { find: path => longestFirst.find(({ prefix }) => path.startsWith(prefix)) }
}
