import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Camera, hasFfmpeg, startCamera } from '../../media/testing/ffmpeg-camera.ts'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import type { IngestTarget } from '../../subgraphs/shared/broadcast-desk.ts'
import type { Ingest } from '../../subgraphs/shared/media-port.ts'
import type { StompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type DashboardBrowser, hasChromium, startDashboardBrowser } from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

describe.skipIf(!(hasChromium && hasFfmpeg && hasMediaWorker))('live video in the dashboard', () => {
  let site: DashboardSite
  let browser: DashboardBrowser
  const cameras: Camera[] = []

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
  }, 90_000)
  afterAll(async () => {
    await Promise.all(cameras.map(camera => camera.kill()))
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  async function film(device: StompDevice): Promise<Camera> {
    const answer = await device.ask('/app/broadcast/start', { kind: 'RTP', codec: 'VP8' })
    const { ingest } = answer as { ingest: IngestTarget }
    const camera = startCamera({ kind: 'RTP', video: ingest, audio: null } as Ingest)
    cameras.push(camera)
    return camera
  }

  it('plays, with its figures, goes on with a camera that restarts, and ends with the broadcast', async () => {
    const { id, device } = await site.connectDevice('CAMERA-1')
    await using person = await browser.signIn(`/spaces/${site.spaceId}/devices/${id}`)
    const { page } = person
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('video').count()).toBe(0)

    const first = await film(device)
    const frames = () =>
      page.evaluate(`(() => {
        const video = document.querySelector('video')
        return video === null || video.videoWidth === 0 ? 0 : video.getVideoPlaybackQuality().totalVideoFrames
      })()`) as Promise<number>
    await waitFor(async () => (await frames()) > 10, { what: 'a moving picture', deadlineMs: 20_000 })
    await page.getByRole('button', { name: 'Figures' }).click()
    await page.getByText(/^(UDP|TCP)$/).waitFor()
    await page.getByText(/^\d+ × \d+$/).waitFor()

    await first.kill()
    await film(device)
    const before = await frames()
    await waitFor(async () => (await frames()) > before + 10, {
      what: 'the picture of the next camera',
      deadlineMs: 20_000,
    })

    await page.getByRole('button', { name: 'End the broadcast' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the broadcast' }).click()
    await page.locator('video').waitFor({ state: 'detached' })
    expect(person.complaints).toEqual([])
  }, 90_000)
})
