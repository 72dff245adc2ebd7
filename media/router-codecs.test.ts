import { expect, it } from 'vitest'
import { clientCapabilities } from './router-codecs.ts'

it('tells clients everything but abs-capture-time', () => {
  const uris = [
    'urn:ietf:params:rtp-hdrext:sdes:mid',
    'http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time',
    'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  ]
  const headerExtensions = uris.map((uri, at) => ({
    kind: 'video' as const,
    uri: uri as never,
    preferredId: at + 1,
  }))
  const told = clientCapabilities({ codecs: [], headerExtensions })
  expect(told.headerExtensions?.map(extension => extension.preferredId)).toEqual([1, 3])
})
