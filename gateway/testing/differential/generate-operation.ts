import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql'
import type { TestOperation } from './corpus.ts'

/** Numbers from 0 up to, not including, `below`. */
type Random = (below: number) => number

/** Two fields of one alias cannot be merged mostly, so that these must not come too often. */
const ALIASES = ['constructor', 'toString', '__proto__', ...Array.from('bcdefghij')]

/** Deepest nesting of a generated operation. */
const MAX_DEPTH = 5

/**
 * Generates valid operations: the same ones for the same seed, whatever the machine. Aliases, arguments as literals and
 * as variables with and without default values, inline and named fragments, @skip and @include as both, and repeated
 * selections come in all places.
 */
export function generateOperations(schema: GraphQLSchema, count: number, seed: number): TestOperation[] {
  const random = createRandom(seed)
  const operations: TestOperation[] = []
  for (let tries = 0; operations.length < count && tries < count * 20; tries++) {
    const operation = generate(schema, random)
    if (validate(schema, parse(operation.query)).length === 0) operations.push(operation)
  }
  return operations
}

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

function generate(schema: GraphQLSchema, random: Random): TestOperation {
  const definitions: string[] = []
  const variables: Record<string, unknown> = {}
  const fragments: string[] = []
  let aliases = 0
  const mutation = schema.getMutationType()
  const isMutation = mutation !== undefined && mutation !== null && random(15) === 0
  const root = isMutation ? mutation : schema.getQueryType()
  if (root === undefined || root === null) throw new TypeError('Expected a schema with a Query type.')
  const chance = (n: number) => random(n) === 0
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T

  function variable(type: string, value: unknown, defaultValue: string | undefined): string {
    const name = `v${definitions.length}`
    const isLeftOut = defaultValue !== undefined && chance(2)
    definitions.push(`$${name}: ${type}${defaultValue === undefined ? '' : ` = ${defaultValue}`}`)
    if (!isLeftOut) variables[name] = value
    return `$${name}`
  }

  function directives(): string {
    if (!chance(7)) return ''
    const name = pick(['skip', 'include'])
    const value = chance(3)
    const isConstant = chance(3)
    const condition = isConstant
      ? String(value)
      : variable('Boolean!', name === 'skip' ? value : !value, chance(3) ? String(chance(2)) : undefined)
    return ` @${name}(if: ${condition})`
  }

  function inputValue(type: GraphQLInputType, depth: number): { literal: string; json: unknown } {
    if (isNonNullType(type)) return inputValue(type.ofType, depth)
    if (isListType(type)) {
      const items = Array.from({ length: random(3) }, () => inputValue(type.ofType, depth))
      return {
        literal: `[${items.map(({ literal }) => literal).join(', ')}]`,
        json: items.map(({ json }) => json),
      }
    }
    if (isEnumType(type)) {
      const { name } = pick(type.getValues())
      return { literal: name, json: name }
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        field => isNonNullType(field.type) || (depth < 2 && chance(2)),
      )
      const values = fields.map(field => [field.name, inputValue(field.type, depth + 1)] as const)
      return {
        literal: `{ ${values.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')} }`,
        json: Object.fromEntries(values.map(([name, { json }]) => [name, json])),
      }
    }
    const json = {
      Int: random(10),
      Float: random(10) / 2,
      Boolean: chance(2),
      DateTime: '2026-01-31T08:00:00Z',
    }[type.name]
    const value = type.name === 'JSON' ? {} : (json ?? `id-${random(9)}`)
    return { literal: type.name === 'JSON' ? '{}' : JSON.stringify(value), json: value }
  }

  function argument(arg: GraphQLArgument): string | undefined {
    if (!isRequiredArgument(arg) && !chance(2)) return undefined
    const { literal, json } = inputValue(arg.type, 0)
    if (chance(2)) return `${arg.name}: ${literal}`
    return `${arg.name}: ${variable(String(arg.type), json, chance(3) ? literal : undefined)}`
  }

  function fieldText(field: GraphQLField<unknown, unknown>, depth: number): string | undefined {
    const named = getNamedType(field.type)
    if (isCompositeType(named) && depth >= MAX_DEPTH) return undefined
    const args = field.args.map(argument).filter(text => text !== undefined)
    const alias = args.length > 0 && !chance(4) ? `a${aliases++}: ` : chance(8) ? `${pick(ALIASES)}: ` : ''
    const inner = isCompositeType(named) ? ` { ${selections(named, depth + 1)} }` : ''
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${directives()}${inner}`
  }

  function selections(type: GraphQLCompositeType, depth: number): string {
    const texts: string[] = []
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
    const count = 1 + random(depth === 0 ? 3 : 4)
    for (let index = 0; index < count && fields.length > 0; index++) {
      const text = fieldText(pick(fields), depth)
      if (text !== undefined) texts.push(text)
    }
    if (chance(5)) texts.splice(random(texts.length + 1), 0, chance(4) ? 't: __typename' : '__typename')
    if (depth <= MAX_DEPTH && (isAbstractType(type) || chance(6))) texts.push(fragmentText(type, depth))
    if (isAbstractType(type)) texts.push(fragmentText(type, depth))
    return texts.length === 0 ? '__typename' : texts.join(' ')
  }

  function fragmentText(type: GraphQLCompositeType, depth: number): string {
    const on = pick([type, ...overlapping(type)])
    const condition = chance(6) ? type : on
    if (chance(3)) {
      const name = `F${fragments.length}`
      fragments.push('')
      const index = fragments.length - 1
      fragments[index] = `fragment ${name} on ${condition.name} { ${selections(condition, depth + 1)} }`
      const twice = chance(5) ? ` ...${name}` : ''
      return `...${name}${directives()}${twice}`
    }
    const text = condition === type && chance(2) ? '...' : `... on ${condition.name}`
    return `${text}${directives()} { ${selections(condition, depth + 1)} }`
  }

  function overlapping(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    const parents = possible.flatMap(object => object.getInterfaces())
    return [...possible, ...possible, ...parents]
  }

  const body = selections(root, 0)
  const variableText = definitions.length > 0 ? `(${definitions.join(', ')})` : ''
  return {
    query: `${isMutation ? 'mutation' : 'query'} Q${variableText} { ${body} }\n${fragments.join('\n')}`,
    variables,
  }
}
