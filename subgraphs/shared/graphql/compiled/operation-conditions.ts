import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql'

/** What the variables of @skip and @include say in one request. */
export type Conditions = ReadonlyMap<string, boolean>

/** Reads the conditions of a request. */
export interface ConditionReader {
  /**
   * Says what each variable is, default values applied. Throws BAD_USER_INPUT for a null, which validation lets pass
   * where the variable has a default value.
   */
  read(variables: Readonly<Record<string, unknown>>): Conditions
  /** One key for each combination. */
  keyOf(conditions: Conditions): string
}

const NONE: Conditions = new Map()

/** Creates the reader of an operation's conditions. */
export function createConditionReader(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ConditionReader {
  const defaults = new Map<string, unknown>()
  for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
    defaults.set(variable.name.value, defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined)
  const names = [...findConditionVariables(document, operation)]
  if (names.length === 0) return { read: () => NONE, keyOf: () => '' }
  return {
    read: variables =>
      new Map(
        names.map(name => {
          const given = Object.hasOwn(variables, name) ? variables[name] : undefined
          const value = given === undefined ? defaults.get(name) : given
          if (typeof value === 'boolean') return [name, value]
          throw new GraphQLError(`Variable "$${name}" decides over @skip or @include and must not be null.`, {
            extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
          })
        }),
      ),
    keyOf: conditions => names.map(name => (conditions.get(name) ? '1' : '0')).join(''),
  }
}

/** The variables that decide over parts of this operation and of the fragments that it reaches. */
function findConditionVariables(document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>()
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)

  function collect(part: OperationDefinitionNode | FragmentDefinitionNode): void {
    visit(part, {
      Directive(directive) {
        const value = directive.arguments?.find(({ name }) => name.value === 'if')?.value
        if (isCondition(directive.name.value) && value?.kind === Kind.VARIABLE) names.add(value.name.value)
      },
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value)
        // Each once, however often it is spread.
        fragments.delete(name.value)
        if (fragment !== undefined) collect(fragment)
      },
    })
  }

  collect(operation)
  return names
}

function isCondition(directive: string): boolean {
  return directive === 'skip' || directive === 'include'
}

/** Whether a selection is part of the operation under these conditions. */
export function isIncluded(selection: SelectionNode, conditions: Conditions): boolean {
  for (const { name, arguments: args } of selection.directives ?? []) {
    if (!isCondition(name.value)) continue
    const value = args?.find(arg => arg.name.value === 'if')?.value
    const isTrue = value?.kind === Kind.VARIABLE ? conditions.get(value.name.value) : isTrueLiteral(value)
    if (isTrue === (name.value === 'skip')) return false
  }
  return true
}

function isTrueLiteral(value: { readonly kind: string; readonly value?: unknown } | undefined): boolean {
  return value?.kind === Kind.BOOLEAN && value.value === true
}
