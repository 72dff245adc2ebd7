import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  type ResponsePath,
} from 'graphql'
import type { OperationRun } from './operation-run.ts'

/** A field where it stands in an operation, on one type of object. */
export interface FieldSite {
  /** Its key in the answer. */
  readonly key: string
  readonly definition: GraphQLField<unknown, unknown>
  readonly parentType: GraphQLObjectType
  /** Every time it is selected there. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]]
}

/** Reads a field's arguments, each time into an object of its own. Throws a GraphQLError when they do not fit. */
export function readArguments(site: FieldSite, run: OperationRun): Record<string, unknown> {
  if (site.definition.args.length === 0) return {}
  let args = run.args.get(site)
  if (args === undefined) {
    args = getArgumentValues(site.definition, site.nodes[0], run.variableValues)
    run.args.set(site, args)
  }
  return { ...args }
}

/** Makes the fourth argument of a resolver. */
export function makeResolveInfo(site: FieldSite, run: OperationRun, path: ResponsePath): GraphQLResolveInfo {
  return {
    fieldName: site.definition.name,
    fieldNodes: site.nodes,
    returnType: site.definition.type,
    parentType: site.parentType,
    path,
    schema: run.schema,
    fragments: run.fragments,
    rootValue: run.rootValue,
    operation: run.operation,
    variableValues: run.variableValues,
  }
}
