import { type DocumentNode, type FieldNode, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import { fieldsNamed } from '../execution/fields-named.ts'
import { findIssuedToken } from '../execution/issued-tokens.ts'
import type { Variables } from './operation-cost.ts'
import type { SignInAttempt } from './sign-in-throttle.ts'

/** A field of an operation that tries a password. */
export interface SignIn {
  readonly field: FieldNode
  readonly attempt: SignInAttempt
}

/** Lists the sign-ins of a valid operation, each alias of its own. */
export function listSignIns(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  address: string,
): readonly SignIn[] {
  if (operation.operation !== 'mutation') return []
  return fieldsNamed('signIn', operation.selectionSet, document).map(field => ({
    field,
    attempt: { address, email: readEmail(field, { ...readDefaults(operation), ...variables }) },
  }))
}

/** Whether a sign-in has shown its client a token. One that does not ask for it counts as failed. */
export function hasSucceeded(
  { field }: SignIn,
  document: DocumentNode,
  data: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  return findIssuedToken(document, field, data) !== undefined
}

function readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = {}
  for (const { variable, defaultValue } of variableDefinitions)
    if (defaultValue !== undefined) defaults[variable.name.value] = valueFromASTUntyped(defaultValue)
  return defaults
}

/** Empty when there is none: the operation will fail. */
function readEmail(field: FieldNode, variables: Variables): string {
  const input = field.arguments?.find(({ name }) => name.value === 'input')?.value
  const value = input === undefined ? undefined : valueFromASTUntyped(input, variables)
  const email: unknown = typeof value === 'object' && value !== null && 'email' in value ? value.email : ''
  return typeof email === 'string' ? email : ''
}
