import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import type { CostTable } from '../gateway-limits.ts'

/** The raw variables of a request; of whatever types the client has sent. */
export type Variables = Readonly<Record<string, unknown>>

/** Reckons the cost of one operation with its variables. Never throws; an integer from 0 to 2^53 - 1. */
export type OperationCost = (variables: Variables) => number

/** A part of the cost: known when the document is compiled, or only with the variables. */
type Term = number | OperationCost

/** Arguments that say how many rows of a list are wanted (Relay Cursor Connections §4). */
const SIZE_ARGUMENTS = ['first', 'last']

/**
 * Compiles what an operation costs: each field counts 1, or what the table says, times the sizes of all lists it stands
 * in. A list's size is the larger of its `first` and `last` (literal, variable, the variable's default, the SDL's
 * default), which count for the lists directly in a connection too, and are the least that it costs; a list without them has its assumed size. What
 * @skip and @include leave out costs nothing.
 *
 * The document must keep its DocumentLimits, as fragments are written out. It need not be valid: what the schema does
 * not know costs 1. Introspection costs 1 a root field.
 */
export function compileCost(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  table: CostTable,
): OperationCost {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  )
  const open = new Set<string>()

  /** `pageSize`: of the connection whose fields these are. */
  function ofSelections(
    selectionSet: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    pageSize: Term | undefined,
  ): Term {
    return addAll(
      selectionSet.selections.map(selection => {
        const isWanted = readConditions(selection)
        if (isWanted === false) return 0
        const cost = ofSelection(selection, parent, pageSize)
        return isWanted === true ? cost : multiply(variables => (isWanted(variables) ? 1 : 0), cost)
      }),
    )
  }

  function ofSelection(
    selection: SelectionNode,
    parent: GraphQLNamedType | undefined,
    pageSize: Term | undefined,
  ): Term {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent, pageSize)
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const name = selection.typeCondition?.name.value
      return ofSelections(
        selection.selectionSet,
        name === undefined ? parent : schema.getType(name),
        pageSize,
      )
    }
    const fragment = fragments.get(selection.name.value)
    if (fragment === undefined || open.has(selection.name.value)) return 0
    open.add(selection.name.value)
    const cost = ofSelections(
      fragment.selectionSet,
      schema.getType(fragment.typeCondition.name.value),
      pageSize,
    )
    open.delete(selection.name.value)
    return cost
  }

  function ofField(field: FieldNode, parent: GraphQLNamedType | undefined, pageSize: Term | undefined): Term {
    const name = field.name.value
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    if (parent === undefined || definition === undefined) return 1
    const { fieldCosts, listSizes } = table
    const own =
      fieldCosts[`${parent.name}.${name}`] ?? fieldCosts[`${parent.name}.*`] ?? fieldCosts[`*.${name}`] ?? 1
    if (field.selectionSet === undefined) return own
    const type = getNamedType(definition.type)
    const asked = readSize(field, definition)
    if (!isListType(getNullableType(definition.type)))
      // The rows of a page are read even when nothing is asked of them.
      return addAll([own, larger(asked ?? 0, ofSelections(field.selectionSet, type, asked))])
    const assumed = listSizes[`${parent.name}.${name}`] ?? listSizes['*'] ?? 1
    const size = asked ?? pageSize ?? assumed
    return addAll([own, multiply(size, ofSelections(field.selectionSet, type, undefined))])
  }

  /** Undefined when the field cannot be asked for a number of rows. */
  function readSize(field: FieldNode, definition: GraphQLField<unknown, unknown>): Term | undefined {
    const sizes: ((variables: Variables) => number | undefined)[] = []
    for (const { name, defaultValue } of definition.args) {
      if (!SIZE_ARGUMENTS.includes(name)) continue
      const given = field.arguments?.find(argument => argument.name.value === name)?.value
      sizes.push(readNumber(given, defaultValue))
    }
    if (sizes.length === 0) return undefined
    return fold(field, variables => {
      let size: number | undefined
      for (const read of sizes) {
        const one = read(variables)
        if (one !== undefined && (size === undefined || one > size)) size = one
      }
      return size ?? table.defaultPageSize
    })
  }

  /** A null, and what is no number, is undefined: the resolver takes its default, or the operation fails. */
  function readNumber(
    given: ValueNode | undefined,
    argumentDefault: unknown,
  ): (variables: Variables) => number | undefined {
    if (given?.kind !== Kind.VARIABLE) {
      const size = given === undefined ? toSize(argumentDefault) : toSize(readLiteral(given))
      return () => size
    }
    const name = given.name.value
    const ofVariable = defaults.get(name)
    const otherwise = toSize(ofVariable === undefined ? argumentDefault : readLiteral(ofVariable))
    return variables => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      return value === undefined ? otherwise : toSize(value)
    }
  }

  function readConditions({ directives = [] }: SelectionNode): boolean | ((variables: Variables) => boolean) {
    const tests: ((variables: Variables) => boolean)[] = []
    for (const { name, arguments: given } of directives) {
      if (name.value !== 'skip' && name.value !== 'include') continue
      const value = given?.find(argument => argument.name.value === 'if')?.value
      const wanted = name.value === 'include'
      if (value?.kind === Kind.BOOLEAN && value.value !== wanted) return false
      if (value?.kind !== Kind.VARIABLE) continue
      const variable = value.name.value
      const ofVariable = defaults.get(variable)
      const otherwise = ofVariable === undefined ? undefined : readLiteral(ofVariable)
      // Only what is certainly left out costs nothing.
      tests.push(variables => {
        const actual = Object.hasOwn(variables, variable) ? variables[variable] : otherwise
        return actual !== !wanted
      })
    }
    if (tests.length === 0) return true
    return variables => tests.every(test => test(variables))
  }

  const cost = ofSelections(
    operation.selectionSet,
    schema.getRootType(operation.operation) ?? undefined,
    undefined,
  )
  return typeof cost === 'number' ? () => cost : cost
}

/** Sizes that hang on no variable are known now. */
function fold(field: FieldNode, size: OperationCost): Term {
  const hangsOnVariable = field.arguments?.some(
    ({ name, value }) => SIZE_ARGUMENTS.includes(name.value) && value.kind === Kind.VARIABLE,
  )
  return hangsOnVariable ? size : size({})
}

function readLiteral(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value)
  return value.kind === Kind.BOOLEAN ? value.value : undefined
}

function toSize(value: unknown): number | undefined {
  return typeof value === 'number' && !Number.isNaN(value) ? capped(Math.max(0, value)) : undefined
}

function addAll(terms: readonly Term[]): Term {
  let known = 0
  const open: OperationCost[] = []
  for (const term of terms) {
    if (typeof term === 'number') known = capped(known + term)
    else open.push(term)
  }
  if (open.length === 0) return known
  return variables => {
    let sum = known
    for (const term of open) sum += term(variables)
    return capped(sum)
  }
}

function larger(one: Term, other: Term): Term {
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other)
  const read = (term: Term, variables: Variables) => (typeof term === 'number' ? term : term(variables))
  return variables => Math.max(read(one, variables), read(other, variables))
}

function multiply(size: Term, cost: Term): Term {
  if (typeof size === 'number')
    return typeof cost === 'number'
      ? capped(size * cost)
      : size === 0
        ? 0
        : variables => capped(size * cost(variables))
  return typeof cost === 'number'
    ? variables => capped(size(variables) * cost)
    : variables => capped(size(variables) * cost(variables))
}

/** Neither Infinity nor, by way of Infinity times 0, NaN comes up. */
function capped(cost: number): number {
  return Math.min(cost, Number.MAX_SAFE_INTEGER)
}
