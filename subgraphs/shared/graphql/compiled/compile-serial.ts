import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { collectSites, type SiteSource } from './collect-sites.ts'
import { compileFieldExecutor } from './compile-object.ts'
import type { ExecuteObject } from './complete-value.ts'
import { isPromise } from './operation-run.ts'

/** Compiles the execution of a mutation's root fields, one after the other (6.2.2, Mutation). */
export function compileSerialExecutor(
  selectionSets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  source: SiteSource,
): ExecuteObject {
  const fields = collectSites(selectionSets, type, source).map(site => ({
    key: site.key,
    execute: compileFieldExecutor(site, source),
  }))
  return (object, run) => {
    const result: Record<string, unknown> = Object.create(null)
    function next(index: number): unknown {
      for (let at = index; at < fields.length; at++) {
        const { key, execute } = fields[at] as (typeof fields)[number]
        const value = execute(object, run, undefined)
        if (isPromise(value))
          return value.then(resolved => {
            result[key] = resolved
            return next(at + 1)
          })
        result[key] = value
      }
      return result
    }
    return next(0)
  }
}
