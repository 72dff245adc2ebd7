import { expect, it } from 'vitest'
import { ProtocolError } from './frame.ts'
import { negotiateHeartBeat } from './heart-beat.ts'

const limits = { sendMs: 1_000, receiveMs: 10_000, silenceMs: 60_000 }

it('the slower of what one can and the other wants is agreed on, each way', () => {
  expect(negotiateHeartBeat('4000,30000', '1.2', limits)).toEqual({
    header: '1000,10000',
    sendMs: 30_000,
    silenceMs: 20_000,
  })
  expect(negotiateHeartBeat('15000,10', '1.1', limits)).toMatchObject({ sendMs: 1_000, silenceMs: 30_000 })
})

it('without heart-beats any frame is the life sign', () => {
  expect(negotiateHeartBeat('0,0', '1.2', limits)).toMatchObject({ sendMs: 0, silenceMs: 60_000 })
  expect(negotiateHeartBeat(undefined, '1.2', limits)).toMatchObject({ sendMs: 0, silenceMs: 60_000 })
})

it('1.0 has no heart-beats', () => {
  expect(negotiateHeartBeat('1000,1000', '1.0', limits)).toEqual({
    header: undefined,
    sendMs: 0,
    silenceMs: 60_000,
  })
})

it.each(['', '1', '1,2,3', '-1,0', 'a,b', '9999999999,0'])('the header "%s" is refused', header => {
  expect(() => negotiateHeartBeat(header, '1.2', limits)).toThrow(ProtocolError)
})
