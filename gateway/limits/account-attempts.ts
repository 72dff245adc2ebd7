import { type DocumentNode, type FieldNode, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import { parseEmail } from '../../subgraphs/shared/text/parse-email.ts'
import { fieldsNamed, responseNameOf } from '../execution/fields-named.ts'
import { findIssuedToken } from '../execution/issued-tokens.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { AccountMutation, AccountRate } from '../gateway-limits.ts'
import type { Variables } from './operation-cost.ts'

/** A field of an operation that tries a secret, or has a mail sent. */
export interface AccountAttempt {
  readonly field: FieldNode
  readonly mutation: AccountMutation
  /** IP address. */
  readonly ip: string
  /** Whose account it is for: an address, the id of the user who asks, or that of a device; empty when none is named. */
  readonly account: string
}

/** Lists the attempts of a valid operation, each alias of its own. */
export function listAccountAttempts(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Variables,
  mutations: readonly AccountMutation[],
  { address, viewer }: Pick<GatewayContext, 'address' | 'viewer'>,
): readonly AccountAttempt[] {
  if (operation.operation !== 'mutation') return []
  const variables = { ...readDefaults(operation), ...given }
  return mutations.flatMap(mutation =>
    fieldsNamed(mutation, operation.selectionSet, document).map(field => ({
      field,
      mutation,
      ip: address,
      account: readAccount(field, variables, viewer),
    })),
  )
}

/**
 * Whether the answer shows that an attempt is none of those that are counted. One whose client does not ask for the
 * token or the user errors is counted.
 */
export function isExempt(
  { field, mutation }: AccountAttempt,
  counts: AccountRate['counts'],
  document: DocumentNode,
  data: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  const errors = countUserErrors(field, document, data)
  if (counts === 'taken') return errors !== undefined && errors > 0
  return errors === 0 || findIssuedToken(document, field, data, TOKEN_FIELDS[mutation]) !== undefined
}

/** Undefined when they were not asked for, or the field failed. */
function countUserErrors(
  field: FieldNode,
  document: DocumentNode,
  data: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const payload = data?.[responseNameOf(field)]
  if (typeof payload !== 'object' || payload === null) return undefined
  for (const selected of fieldsNamed('userErrors', field.selectionSet, document)) {
    const errors = (payload as Record<string, unknown>)[responseNameOf(selected)]
    if (Array.isArray(errors)) return errors.length
  }
  return undefined
}

function readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = {}
  for (const { variable, defaultValue } of variableDefinitions)
    if (defaultValue !== undefined) defaults[variable.name.value] = valueFromASTUntyped(defaultValue)
  return defaults
}

/** Where the answer has the token, if not in `accessToken`. */
const TOKEN_FIELDS: Partial<Record<AccountMutation, string>> = { deviceToken: 'token' }

/** However an address is written, it is one account. */
function readAccount(field: FieldNode, variables: Variables, viewer: Viewer | null): string {
  const input = field.arguments?.find(({ name }) => name.value === 'input')?.value
  const value: unknown = input === undefined ? undefined : valueFromASTUntyped(input, variables)
  if (typeof value !== 'object' || value === null) return ''
  if ('currentPassword' in value) return viewer?.kind === 'user' ? viewer.userId : ''
  if ('deviceId' in value) return typeof value.deviceId === 'string' ? value.deviceId : ''
  return 'email' in value && typeof value.email === 'string' ? (parseEmail(value.email).value ?? '') : ''
}
