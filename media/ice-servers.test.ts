import { expect, it } from 'vitest'
import { makeIceServers } from './ice-servers.ts'

const urls = ['turn:turn.example.com:3478?transport=udp']

it('gives no ICE servers where there is no TURN', () => {
  expect(makeIceServers(null, 'a')).toEqual([])
})

it('gives a name that expires in 12 hours and its HMAC-SHA1 under the shared secret', () => {
  const servers = makeIceServers({ urls, secret: 'north' }, 'session-1', 1_700_000_000_999)
  // printf %s 1700043200:session-1 | openssl dgst -sha1 -hmac north -binary | base64
  expect(servers).toEqual([
    { urls, username: '1700043200:session-1', credential: '1ZnH/gnkhTHiDG5RNnKW8yAlD6M=' },
  ])
})
