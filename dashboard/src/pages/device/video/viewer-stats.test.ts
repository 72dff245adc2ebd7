import { expect, it } from 'vitest'
import { createStatsReader } from './viewer-stats.ts'

const report = (counts: Record<string, number>): RTCStatsReport =>
  new Map<string, unknown>([
    ['c', { id: 'c', type: 'codec', mimeType: 'video/VP8' }],
    ['l', { id: 'l', type: 'local-candidate', protocol: 'udp' }],
    [
      'p',
      {
        ...{ id: 'p', type: 'candidate-pair', nominated: true, state: 'succeeded' },
        ...{ localCandidateId: 'l', currentRoundTripTime: 0.02 },
      },
    ],
    [
      'v',
      {
        ...{ id: 'v', type: 'inbound-rtp', kind: 'video', codecId: 'c', jitter: 0.004 },
        ...{ frameWidth: 640, frameHeight: 480, ...counts },
      },
    ],
  ]) as never

const first = {
  ...{ bytesReceived: 1_000, packetsReceived: 10, packetsLost: 0, framesDecoded: 5 },
  ...{ jitterBufferDelay: 1, jitterBufferEmittedCount: 10 },
}

it('tells of the time between two readings, and of nothing before', () => {
  const read = createStatsReader()
  expect(read(new Map() as never, 0)).toBeUndefined()
  expect(read(report(first), 1_000)).toBeUndefined()
  const next = {
    ...{ bytesReceived: 251_000, packetsReceived: 205, packetsLost: 5, framesDecoded: 55 },
    ...{ jitterBufferDelay: 3, jitterBufferEmittedCount: 60 },
  }
  expect(read(report(next), 3_000)).toEqual({
    ...{ width: 640, height: 480, framesPerSecond: 25, kilobitsPerSecond: 1_000, lossRatio: 0.025 },
    ...{ jitterMs: 4, latencyMs: 50, codec: 'VP8', protocol: 'udp' },
  })
})

it('begins anew with a consumer that counts from nothing', () => {
  const read = createStatsReader()
  read(report({ ...first, bytesReceived: 90_000 }), 1_000)
  expect(read(report(first), 2_000)).toBeUndefined()
  expect(read(report({ ...first, bytesReceived: 126_000 }), 3_000)?.kilobitsPerSecond).toBe(1_000)
})
