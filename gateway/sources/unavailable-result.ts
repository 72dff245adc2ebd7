import { Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import type { SubgraphOperation, SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'

/**
 * Makes the answer of a subgraph that could not be asked: no data, and an UNAVAILABLE error at each root field of the
 * fetch; for a fetch of entities one error, at the first field of the first entity, however many there are.
 */
export function unavailableResult(operation: SubgraphOperation, subgraph: string): SubgraphResult {
  const message = `The ${subgraph} service cannot answer now. Try again.`
  const paths =
    'representations' in (operation.variables ?? {}) ? entityPath(operation) : rootPaths(operation)
  return {
    data: null,
    errors: paths.map(path => ({ message, path, extensions: { code: 'UNAVAILABLE' } })),
  }
}

function rootPaths(operation: SubgraphOperation): string[][] {
  return responseNames(rootSelection(operation)).map(name => [name])
}

function entityPath(operation: SubgraphOperation): (string | number)[][] {
  const [entities] = rootSelection(operation)?.selections ?? []
  const fields = entities?.kind === Kind.FIELD ? responseNames(entities.selectionSet) : []
  const field = fields.find(name => name !== '__typename')
  return [['_entities', 0, ...(field === undefined ? [] : [field])]]
}

function rootSelection({ query, operationName }: SubgraphOperation): SelectionSetNode | undefined {
  return parse(query, { noLocation: true }).definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      (operationName === undefined || definition.name?.value === operationName),
  )?.selectionSet
}

function responseNames(selectionSet: SelectionSetNode | undefined): string[] {
  return (selectionSet?.selections ?? []).flatMap(selection => {
    if (selection.kind === Kind.FIELD) return [selection.alias?.value ?? selection.name.value]
    return selection.kind === Kind.INLINE_FRAGMENT ? responseNames(selection.selectionSet) : []
  })
}
