import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { AppError } from '../subgraphs/shared/errors.ts'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { createErrorFormat } from './error-format.ts'

const logged: string[] = []
const format = createErrorFormat({
  logger: createLogger({
    level: 'info',
    role: 'test',
    destination: { write: line => void logged.push(line) },
  }),
})

test('an error of our own code shows neutral text, and is logged', () => {
  const error = new GraphQLError('Cannot read properties of undefined', { originalError: new Error('inner') })
  expect(format({ message: error.message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }, error)).toEqual({
    message: 'Something went wrong on our side.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
  expect(logged.join()).toContain('inner')
})

test('a code of the contract is shown with its message, without what else the error carries', () => {
  const error = new GraphQLError('Not for you.', {
    path: ['a', 0],
    extensions: { code: 'FORBIDDEN', serviceName: 'device', stacktrace: ['x'] },
  })
  expect(format(error.toJSON(), error)).toEqual({
    message: 'Not for you.',
    path: ['a', 0],
    extensions: { code: 'FORBIDDEN' },
  })
})

test('an AppError that was wrapped on the way shows its own message', () => {
  const error = new GraphQLError('Context creation failed: Late.', {
    originalError: new AppError('UNAVAILABLE', 'Late.'),
  })
  expect(format(error.toJSON(), error)).toMatchObject({
    message: 'Late.',
    extensions: { code: 'UNAVAILABLE' },
  })
})
