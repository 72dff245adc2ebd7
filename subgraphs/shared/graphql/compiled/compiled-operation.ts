import {
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { createBoundedCache } from '../../bounded-cache.ts'
import { compileObjectExecutor } from './compile-object.ts'
import { compileSerialExecutor } from './compile-serial.ts'
import { compileVariables } from './compile-variables.ts'
import type { ExecuteObject } from './complete-value.ts'
import { type Conditions, createConditionReader } from './operation-conditions.ts'
import { createCollectedErrors, isPromise, type OperationRun } from './operation-run.ts'

/** What an operation is run with. */
export interface RunOptions {
  readonly rootValue?: unknown
  readonly contextValue?: unknown
  readonly variableValues?: Readonly<Record<string, unknown>>
}

/** An operation, ready to run. */
export interface CompiledOperation {
  /** Runs it. Never rejects and never throws. */
  run(options: RunOptions): Promise<ExecutionResult> | ExecutionResult
}

/** More combinations of @skip and @include are compiled anew each time. */
const MAX_VARIANTS = 4

/**
 * Compiles an operation of a validated document: it runs as `execute` of graphql-js 16 runs it, with the same answers,
 * errors and order of resolver calls, several times as fast. Arguments are read once per run and field.
 *
 * One difference is intended: a promise that is abandoned because another field or item made its list null never rejects
 * unhandled, which would end the process.
 *
 * Returns undefined where graphql-js has to do it: no such operation, or introspection.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): CompiledOperation | undefined {
  const operation = getOperationAST(document, operationName)
  if (!operation || hasIntrospection(document)) return undefined
  const type = schema.getRootType(operation.operation)
  if (type === undefined || type === null) return undefined
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  const reader = createConditionReader(document, operation)
  const coerceVariables = compileVariables(schema, operation)
  const variants = createBoundedCache<string, ExecuteObject>(MAX_VARIANTS)

  function findVariant(conditions: Conditions): ExecuteObject {
    const key = reader.keyOf(conditions)
    const known = variants.get(key)
    if (known !== undefined) return known
    const compile = operation?.operation === 'mutation' ? compileSerialExecutor : compileObjectExecutor
    const selectionSets = operation === null || operation === undefined ? [] : [operation.selectionSet]
    if (type === undefined || type === null) throw new TypeError('Expected a root type, got none.')
    const variant = compile(selectionSets, type, { schema, fragments, conditions })
    variants.set(key, variant)
    return variant
  }

  return {
    run({ rootValue, contextValue, variableValues = {} }) {
      const coerced = coerceVariables(variableValues)
      if (Array.isArray(coerced)) return { errors: coerced }
      const errors = createCollectedErrors()
      const run: OperationRun = {
        schema,
        operation,
        fragments,
        rootValue,
        contextValue,
        variableValues: coerced as Record<string, unknown>,
        args: new Map(),
        errors,
      }
      const answer = (data: unknown): ExecutionResult => {
        const result = data as ExecutionResult['data']
        return errors.all.length === 0 ? { data: result } : { errors: errors.all, data: result }
      }
      const fail = (error: unknown): ExecutionResult => {
        errors.add(asGraphqlError(error), undefined)
        return answer(null)
      }
      try {
        const data = findVariant(reader.read(run.variableValues))(rootValue, run, undefined)
        return isPromise(data) ? data.then(answer, fail) : answer(data)
      } catch (error) {
        return fail(error)
      }
    },
  }
}

function asGraphqlError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const error = thrown instanceof Error ? thrown : new TypeError(`Expected an Error, got ${String(thrown)}`)
  return new GraphQLError(error.message, { originalError: error })
}

function hasIntrospection(document: DocumentNode): boolean {
  const isAsked = ({ selections }: SelectionSetNode): boolean =>
    selections.some(selection => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return false
      if (selection.kind === Kind.INLINE_FRAGMENT) return isAsked(selection.selectionSet)
      return selection.name.value === '__schema' || selection.name.value === '__type'
    })
  return document.definitions.some(
    definition =>
      (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) &&
      isAsked(definition.selectionSet),
  )
}
