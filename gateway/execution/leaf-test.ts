import { type GraphQLLeafType, isEnumType, isSpecifiedScalarType } from 'graphql'

/** JavaScript that tests `v`, and what it needs from outside under the name it is given. */
export interface LeafTest {
  readonly source: string
  readonly values?: ReadonlySet<string>
}

/**
 * Writes the test whether a subgraph's leaf may be shown as this type: the values that its type has in JSON, and for an
 * enum the values that clients may know. Undefined for scalars of a schema's own, which may be anything.
 */
export function writeLeafTest(type: GraphQLLeafType, valuesName: string): LeafTest | undefined {
  if (isEnumType(type))
    return {
      source: `typeof v === 'string' && ${valuesName}.has(v)`,
      values: new Set(type.getValues().map(({ name }) => name)),
    }
  if (!isSpecifiedScalarType(type)) return undefined
  // Beyond this, numbers are written with an exponent.
  const isInteger = 'Number.isInteger(v) && v < 1e21 && v > -1e21'
  switch (type.name) {
    case 'Boolean':
      return { source: `typeof v === 'boolean'` }
    case 'Int':
      return { source: isInteger }
    case 'Float':
      return { source: 'Number.isFinite(v)' }
    case 'ID':
      return { source: `typeof v === 'string' || (${isInteger})` }
    default:
      return { source: `typeof v === 'string'` }
  }
}
