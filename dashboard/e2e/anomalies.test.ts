import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { hasChromium } from './testing/dashboard-browser.ts'
import { expectAccessible, expectToFit } from './testing/page-checks.ts'
import { startTriageWorld, type TriageWorld } from './testing/triage-world.ts'

/** Half a second of a canvas, as a WebM in base64. */
const RECORD = `(async () => {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
  const parts = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise(resolve => { recorder.onstop = resolve })
  recorder.start()
  for (let frame = 0; frame < 15; frame++) {
    context.fillRect(frame, frame, 20, 20)
    await new Promise(resolve => requestAnimationFrame(resolve))
  }
  recorder.stop()
  await stopped
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
})()`

let world: TriageWorld

describe.skipIf(!hasChromium)('anomalies of a space', () => {
  beforeAll(async () => {
    world = await startTriageWorld()
  }, 90_000)

  afterAll(() => world?.[Symbol.asyncDispose]())

  /** Devices of the demo have anomalies of their own. */
  const ofDevice = () => `device=${world.deviceId}`

  const rowOf = (page: Page, id: string) => page.locator(`[data-anomaly="${id}"]`)
  const listOf = (page: Page) => page.getByRole('region', { name: 'Anomalies', exact: true })
  const paneOf = (page: Page) => page.getByRole('region', { name: 'Anomaly', exact: true })
  const isReady = (page: Page) => page.getByTestId('total').waitFor()

  /** Goes through the list to a row by key. */
  async function goTo(page: Page, id: string): Promise<void> {
    await page.keyboard.press('j')
    for (let i = 0; i < 60; i++) {
      if ((await rowOf(page, id).locator('xpath=..').getAttribute('aria-current')) === 'true') return
      await page.keyboard.press('j')
    }
    throw new Error(`There is no row of ${id}.`)
  }

  it('shows what a device raises within a second, and to the first person who acknowledged it', async () => {
    const kim = await world.open('anomalies', { name: 'Kim' })
    const lee = await world.open('anomalies', { name: 'Lee' })
    await Promise.all([isReady(kim), isReady(lee)])
    const sentAt = performance.now()
    const id = await world.raise('first-seen', 'CRITICAL', 'Bearing at 96 °C')
    await rowOf(kim, id).waitFor()
    expect(performance.now() - sentAt).toBeLessThan(1_000)
    await rowOf(lee, id).waitFor()
    await goTo(lee, id)
    await lee.keyboard.press('a')
    await rowOf(kim, id).getByText('Acknowledged', { exact: true }).waitFor()
    expect(await rowOf(kim, id).textContent()).toContain('Lee')
    await lee.keyboard.press('c')
    await paneOf(lee).getByLabel('Comment', { exact: true }).waitFor()
    await rowOf(kim, id).click()
    await paneOf(kim).getByText('Lee acknowledged it').waitFor()
    await lee.keyboard.type('Grease is on its way')
    await lee.keyboard.press('Control+Enter')
    await paneOf(kim).getByText('Grease is on its way').waitFor()
    expect(await paneOf(kim).getByRole('button', { name: 'Edit comment' }).count()).toBe(0)
    expect(await paneOf(lee).getByRole('button', { name: 'Edit comment' }).count()).toBe(1)
    await Promise.all([kim.context().close(), lee.context().close()])
  })

  it('tells the one of two who was second kindly who was first', async () => {
    const id = await world.raise('at-once', 'CRITICAL')
    const pages = await Promise.all([
      world.open(`anomalies?anomaly=${id}`, { name: 'Park' }),
      world.open(`anomalies?anomaly=${id}`, { name: 'Choi' }),
    ])
    for (const page of pages) {
      await isReady(page)
      await paneOf(page).getByText('The device raised it').waitFor()
    }
    await Promise.all(pages.map(page => page.keyboard.press('a')))
    const kindly = pages.map(page => page.getByText(/^(Park|Choi) acknowledged this just now$/).first())
    await Promise.any(kindly.map(note => note.waitFor()))
    for (const page of pages) {
      await rowOf(page, id).getByText('Acknowledged', { exact: true }).waitFor()
    }
    expect((await Promise.all(kindly.map(note => note.isVisible()))).filter(Boolean)).toHaveLength(1)
    for (const page of pages) await page.context().close()
  })

  it('acknowledges fifty at once, and says with which ones somebody was first', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, i) => world.raise(`bulk-${i}`, 'MINOR')))
    const page = await world.open(`anomalies?${ofDevice()}&severity=MINOR&order=NEWEST&status=OPEN`, {
      name: 'Jung',
    })
    await isReady(page)
    await page.getByText('50 match').waitFor()
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
    const other = await world.open(`anomalies?anomaly=${ids[3]}`, { name: 'Han' })
    await isReady(other)
    const isFirst = Promise.withResolvers<void>()
    await page.route('**/graphql', async route => {
      if (route.request().postData()?.includes('acknowledgeAnomalies')) await isFirst.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Acknowledge 50' }).click()
    await paneOf(other)
      .getByRole('button', { name: /^Acknowledge/ })
      .click()
    await paneOf(other).getByText('You acknowledged it').waitFor()
    isFirst.resolve()
    await page.getByText('Acknowledged 49. Somebody was first with 1.').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('dialog').getByText('Han acknowledged this just now').waitFor()
    await page.context().close()
    await other.context().close()
  })

  it('is worked through by keyboard alone', async () => {
    const [id = '', next = ''] = [
      await world.raise('walk-b', 'INFO'),
      await world.raise('walk-a', 'INFO'),
    ].reverse()
    const page = await world.open(`anomalies?${ofDevice()}&severity=INFO`, { name: 'Yoon' })
    await isReady(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await rowOf(page, next).locator('xpath=..').getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await paneOf(page).getByRole('heading', { name: 'walk-a' }).waitFor()
    expect(new URL(page.url()).searchParams.get('anomaly')).toBe(id)
    await page.keyboard.press('a')
    await rowOf(page, id).getByText('Acknowledged', { exact: true }).waitFor()
    await page.keyboard.press('r')
    await rowOf(page, id).getByText('Resolved', { exact: true }).waitFor()
    expect(await rowOf(page, id).getAttribute('data-past')).toBe('true')
    await page.keyboard.press('Shift+R')
    await rowOf(page, id).getByText('Open', { exact: true }).waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await paneOf(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Resolve it').waitFor()
    await page.context().close()
  })

  it('leaves the row that one is at where it is when others come', async () => {
    const id = await world.raise('stays', 'MAJOR')
    const page = await world.open(`anomalies?${ofDevice()}&order=NEWEST`, { name: 'Lim' })
    await isReady(page)
    await goTo(page, id)
    const before = await rowOf(page, id).boundingBox()
    await Promise.all(Array.from({ length: 20 }, (_, i) => world.raise(`storm-${i}`, 'CRITICAL')))
    const more = page.getByRole('button', { name: '20 new – show' })
    await more.waitFor()
    expect(await rowOf(page, id).boundingBox()).toEqual(before)
    await more.click()
    await page.getByText('storm-19', { exact: true }).waitFor()
    await page.context().close()
  })

  it('plays what the device has recorded, with a new link where one has stopped working', async () => {
    const id = await world.raise('recorded', 'CRITICAL')
    const page = await world.open(`anomalies?anomaly=${id}`, { name: 'Kang' })
    await paneOf(page).getByText('The device raised it').waitFor()
    const video = Buffer.from((await page.evaluate(RECORD)) as string, 'base64')
    const wish = { eventId: id, contentType: 'video/webm', sizeBytes: video.length }
    const { uploadUrl, headers, clip } = await world.device.ask('/app/clip/request', wish)
    const upload = await fetch(new URL(uploadUrl, page.url()), { method: 'PUT', headers, body: video })
    expect(upload.ok).toBe(true)
    let refusals = 1
    await page.route('**/clips/**', route =>
      refusals-- > 0 ? route.fulfill({ status: 403 }) : route.continue(),
    )
    await world.device.ask('/app/clip/complete', { clipId: clip.id })
    const player = paneOf(page).locator('video')
    await player.waitFor()
    const readWidth = () =>
      player.evaluate(element => (element as unknown as { videoWidth: number }).videoWidth)
    await waitFor(async () => (await readWidth()) > 0, { what: 'the first frame' })
    expect(refusals).toBeLessThan(1)
    await page.context().close()
  })

  it('offers nothing to do to who may only look', async () => {
    const id = await world.raise('look-only', 'CRITICAL')
    const page = await world.open(`anomalies?anomaly=${id}`, { name: 'Viewer', role: 'VIEWER' })
    await paneOf(page).getByText('The device raised it').waitFor()
    expect(await page.getByRole('button', { name: /Acknowledge|Resolve \w|Send/ }).count()).toBe(1)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await paneOf(page).getByRole('textbox').count()).toBe(0)
    await page.context().close()
  })

  it('has nothing that axe calls serious, in both themes, and fits a phone', async () => {
    const id = await world.raise('audited', 'CRITICAL')
    for (const theme of ['light', 'dark'] as const) {
      const page = await world.open(`anomalies?anomaly=${id}`, { name: 'Axe' }, { theme })
      await paneOf(page).getByText('The device raised it').waitFor()
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await listOf(page).waitFor({ state: 'hidden' })
      await expectToFit(page)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await listOf(page).waitFor()
      await expectToFit(page)
      await page.context().close()
    }
  })
})
