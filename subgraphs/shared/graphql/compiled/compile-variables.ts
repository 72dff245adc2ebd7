import {
  type GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql'

/** Coerces the variables of a request (6.1.2), or says what is wrong with them. */
export type CoerceVariables = (
  given: Readonly<Record<string, unknown>>,
) => Record<string, unknown> | GraphQLError[]

/** As graphql-js has it. */
const MAX_VARIABLE_ERRORS = 50

/** What scalars parse with that have no parsing of their own. */
const AS_IT_IS = new GraphQLScalarType({ name: 'AsItIs' }).parseValue

/**
 * Compiles the coercion of an operation's variables. Lists of values that would come out as they went in, as
 * representations do (`[_Any!]!`), are looked at for nulls alone.
 */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): CoerceVariables {
  const asTheyAre = variableDefinitions.filter(definition => isListAsItIs(definition, schema))
  const others = variableDefinitions.filter(definition => !asTheyAre.includes(definition))
  const names = asTheyAre.map(({ variable }) => variable.name.value)

  function coerce(
    given: Readonly<Record<string, unknown>>,
    definitions: readonly VariableDefinitionNode[],
  ): Record<string, unknown> | GraphQLError[] {
    if (definitions.length === 0) return Object.create(null)
    const { coerced, errors } = getVariableValues(schema, definitions, given, {
      maxErrors: MAX_VARIABLE_ERRORS,
    })
    return errors === undefined ? coerced : [...errors]
  }

  return given => {
    if (!names.every(name => Object.hasOwn(given, name) && isListWithoutNulls(given[name])))
      return coerce(given, variableDefinitions)
    const coerced = coerce(given, others)
    if (Array.isArray(coerced)) return coerced
    for (const name of names) coerced[name] = given[name]
    return coerced
  }
}

function isListAsItIs({ type }: VariableDefinitionNode, schema: GraphQLSchema): boolean {
  const list = type.kind === Kind.NON_NULL_TYPE ? type.type : type
  const item = list.kind === Kind.LIST_TYPE ? list.type : undefined
  if (item?.kind !== Kind.NON_NULL_TYPE || item.type.kind !== Kind.NAMED_TYPE) return false
  const named = schema.getType(item.type.name.value)
  return named instanceof GraphQLScalarType && named.parseValue === AS_IT_IS
}

function isListWithoutNulls(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => item !== null && item !== undefined)
}
