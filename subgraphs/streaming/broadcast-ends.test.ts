import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import { createLogger } from '../shared/logger.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import { startBroadcastEnds } from './broadcast-ends.ts'
import { type OverdueEnds, startOverdueEnds } from './overdue-ends.ts'
import { type RemoteMedia, startRemoteMedia } from './testing/remote-media.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const UNAVAILABLE = { code: 'UNAVAILABLE' }

describe.skipIf(!hasMediaWorker)('what is to end at a media that is away', () => {
  let media: RemoteMedia
  let ends: OverdueEnds

  beforeEach(async () => {
    media = await startRemoteMedia()
  })
  afterEach(async () => {
    await ends?.[Symbol.asyncDispose]()
    await media?.[Symbol.asyncDispose]()
  })

  const open = (deviceId: string) =>
    media.there.openBroadcast({ deviceId, broadcastId: newId(), ingest: { kind: 'WEBRTC' } })
  const isThere = async (deviceId: string) => (await media.there.findBroadcast({ deviceId })) !== null

  it('ends by itself when media is back, and what fails but once is no hindrance to the others', async () => {
    ends = startBroadcastEnds({ media: media.client, logger })
    for (const deviceId of ['a', 'b', 'c']) await open(deviceId)
    media.cut()
    for (const deviceId of ['a', 'b', 'unknown'])
      await expect(ends.end(deviceId)).rejects.toMatchObject(UNAVAILABLE)
    await expect(ends.settle('a')).rejects.toMatchObject(UNAVAILABLE)
    expect(await isThere('a')).toBe(true)
    media.cutNext('closeBroadcast')
    media.restore()
    await waitFor(async () => !(await isThere('a')) && !(await isThere('b')))
    await waitFor(async () => !(await ends.settle('unknown')))
    expect(await isThere('c')).toBe(true)
    expect(await ends.settle('a')).toBe(false)
  })

  it('is left when it began after it was asked to end', async () => {
    ends = startBroadcastEnds({ media: media.client, logger })
    media.cut()
    const before = Date.now()
    await expect(ends.end('a')).rejects.toMatchObject(UNAVAILABLE)
    await waitFor(() => Date.now() > before + 1)
    await open('a')
    media.restore()
    await waitFor(async () => !(await ends.settle('a')))
    expect(await isThere('a')).toBe(true)
  })

  it('gives way to newer ones, oldest first, when there is too much of it', async () => {
    const endOne = (deviceId: string) => media.client.closeBroadcast({ deviceId })
    ends = startOverdueEnds({ what: 'broadcast', endOne, logger, maxDue: 2 })
    for (const deviceId of ['a', 'b', 'c']) await open(deviceId)
    media.cut()
    for (const deviceId of ['a', 'b', 'a', 'c'])
      await expect(ends.end(deviceId)).rejects.toMatchObject(UNAVAILABLE)
    expect(await ends.settle('b')).toBe(false)
    media.restore()
    await waitFor(async () => !(await isThere('a')) && !(await isThere('c')))
    expect(await isThere('b')).toBe(true)
  })
})
