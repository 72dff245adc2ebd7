import { expect, test } from 'vitest'
import { readAcceptedTypes } from './accepted-types.ts'

test.each([
  [undefined, false, false],
  ['*/*', false, false],
  ['application/json', false, false],
  ['text/*', false, false],
  ['text/event-stream;q=0', false, false],
  ['text/event-stream; q=0.0, application/json', false, false],
  ['text/event-streams', false, false],
  ['text/event-stream;q=nonsense', false, false],
  ['text/event-stream', true, true],
  ['Text/Event-Stream ; charset=utf-8', true, true],
  ['text/event-stream, text/html', true, true],
  ['application/json;q=0, text/event-stream', true, true],
  ['text/event-stream, */*;q=0.1', true, true],
  ['text/event-stream;q=0.5, application/json;q=0.4', true, true],
  ['application/graphql-response+json, application/json, text/event-stream', true, false],
  ['text/event-stream, */*', true, false],
  ['text/event-stream;q=0.9, application/*', true, false],
])('an Accept of %s: takes events %s, prefers them %s', (accept, takesEvents, prefersEvents) => {
  expect(readAcceptedTypes(accept)).toEqual({ takesEvents, prefersEvents })
})
