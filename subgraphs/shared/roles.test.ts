import { describe, expect, it } from 'vitest'
import { SUBGRAPH_NAMES } from '../../schema/graphql/subgraph-sdl.ts'
import { readConfig } from './config.ts'
import { parseRoles, ROLES } from './roles.ts'

const parse = (args: readonly string[], env: Record<string, string> = {}) => parseRoles(args, readConfig(env))

describe('parseRoles', () => {
  it('takes no argument, and all among others, for every role', () => {
    expect(parse([])).toEqual(ROLES)
    expect(parse(['worker', 'all'])).toEqual(ROLES)
  })

  it('puts the roles in their order, once each', () => {
    expect(parse(['worker', 'stomp', 'worker'])).toEqual(['stomp', 'worker'])
  })

  it('names the roles there are when there is no such one', () => {
    expect(() => parse(['gatewey'])).toThrow(`There is no role gatewey. Roles: all, ${ROLES.join(', ')}.`)
  })

  it.each(SUBGRAPH_NAMES)('wants the subgraph %s beside the gateway, or its address', name => {
    const others = SUBGRAPH_NAMES.filter(other => other !== name)
    const variable = `${name.toUpperCase()}_URL`
    expect(() => parse(['gateway', ...others])).toThrow(
      `The gateway needs ${variable}, or the role ${name} beside it.`,
    )
    expect(parse(['gateway', ...others], { [variable]: 'http://localhost:4001' })).toHaveLength(
      SUBGRAPH_NAMES.length,
    )
    expect(parse([name])).toEqual([name])
  })

  it('does not serve two subgraphs from one process without a gateway', () => {
    expect(() => parse(['events', 'device'])).toThrow(
      'device and events without gateway need a process each.',
    )
  })
})
