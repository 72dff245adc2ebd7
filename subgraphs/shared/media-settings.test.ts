import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { parseHosts, parsePortBlock } from './media-settings.ts'

it('reads a block of ports, and refuses what is none', () => {
  expect(parsePortBlock('40000-40199')).toEqual({ first: 40_000, last: 40_199 })
  for (const text of ['40000', '40199-40000', '80-90', '65000-70000', 'a-b', ''])
    expect(() => parsePortBlock(text)).toThrow(TypeError)
})

it('reads an announced address for each family, or a name', () => {
  expect(parseHosts('203.0.113.7, 2001:db8::7')).toEqual(['203.0.113.7', '2001:db8::7'])
  expect(() => parseHosts('http://media')).toThrow(TypeError)
})

it('stays on loopback in the embedded demo, and listens to all elsewhere', () => {
  expect(readConfig({}).media).toMatchObject({
    listen: ['127.0.0.1'],
    announced: ['127.0.0.1'],
    ports: null,
    turn: null,
  })
  const site = { DATABASE_URL: 'mysql://u:p@db/nuvion', REDIS_URL: 'redis://cache' }
  expect(readConfig(site).media).toMatchObject({ listen: ['0.0.0.0'], announced: [] })
  const turn = {
    NUVION_TURN_URLS: 'turn:turn.example.com:3478?transport=udp',
    NUVION_TURN_SECRET: 'x'.repeat(16),
  }
  expect(readConfig({ ...site, ...turn }).media.turn?.urls).toHaveLength(1)
})

it('wants the secret of TURN servers with their URLs', () => {
  expect(() => readConfig({ NUVION_TURN_URLS: 'turn:a' })).toThrow(
    /NUVION_TURN_URLS: must be set with NUVION_TURN_SECRET/,
  )
  expect(() => readConfig({ NUVION_MEDIA_PORTS: '1-2', NUVION_MEDIA_LISTEN: 'here' })).toThrow(
    /NUVION_MEDIA_PORTS: must be two ports[\s\S]*NUVION_MEDIA_LISTEN: must be IP addresses/,
  )
})
