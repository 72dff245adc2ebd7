import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { createGatewayContext } from '../gateway-context.ts'
import { createOperationCharges } from './operation-charges.ts'

const document = parse('{ a }')
const [operation] = document.definitions
const context = () => createGatewayContext(null, 'request', new AbortController().signal, { caller: 'ann' })

function setUp(charge: () => number) {
  const callers: string[] = []
  const charges = createOperationCharges({
    charge(_document, _operation, _variables, caller) {
      callers.push(caller)
      return charge()
    },
  })
  if (operation?.kind !== 'OperationDefinition') throw new TypeError('Expected an operation.')
  return { callers, ask: (of: ReturnType<typeof context>) => charges(document, operation, {}, of) }
}

test('an operation is charged once, however often that is asked for', () => {
  const { callers, ask } = setUp(() => 7)
  const [first, second] = [context(), context()]
  expect([ask(first), ask({ ...first }), ask(second)]).toEqual([7, 7, 7])
  expect(callers).toEqual(['ann', 'ann'])
})

test('what is too much is too much the second time, without being charged again', () => {
  const { callers, ask } = setUp(() => {
    throw new Error('too much')
  })
  const one = context()
  expect(() => ask(one)).toThrow('too much')
  expect(() => ask(one)).toThrow('too much')
  expect(callers).toEqual(['ann'])
})
