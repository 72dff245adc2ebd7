import { expect, it } from 'vitest'
import { parseLoadFlags } from './load-options.ts'

it('has the defaults of the seed, and takes files from where the person is', () => {
  expect(parseLoadFlags([], '/home/kim')).toMatchObject({
    ...{ isQuick: false, scale: 1, media: 0, url: null, suite: 'mixed', runs: 5, logs: 1_000_000 },
    ...{ holdSeconds: 600, dau: 10_000, visits: 5, peak: 10, pauses: 3, think: 3, latency: 0.5 },
  })
  const flags = parseLoadFlags(['--scale', '10', '--quick', '--json', 'out.json'], '/home/kim')
  expect(flags).toMatchObject({ scale: 10, isQuick: true, jsonFile: '/home/kim/out.json' })
})

it('says what is wrong', () => {
  const parse = (...args: string[]) => parseLoadFlags(args, '/')
  expect(() => parse('--scale', 'ten')).toThrow('--scale must be a number of 0.02 or more: got ten.')
  expect(() => parse('--suite', 'all')).toThrow('--suite must be query-only')
  expect(() => parse('--url', 'here')).toThrow('--url is no URL: here.')
  expect(() => parse('--skale', '1')).toThrow('--skale')
})
