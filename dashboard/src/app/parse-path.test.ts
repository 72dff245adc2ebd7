import { expect, test } from 'vitest'
import { parsePath } from './parse-path.ts'

test('Parts of a path are taken by name and decoded', () => {
  expect(parsePath('/spaces/:spaceId/devices/:deviceId', '/spaces/a/devices/b%20c/')).toEqual({
    spaceId: 'a',
    deviceId: 'b c',
  })
})

test('A path that is longer, shorter, other, or badly encoded does not fit', () => {
  for (const path of [
    '/spaces/a',
    '/spaces/a/board/x',
    '/spaces/a/feed',
    '/spaces/%/board',
    '/spaces//board',
  ])
    expect(parsePath('/spaces/:spaceId/board', path)).toBeUndefined()
})
