import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium } from './testing/dashboard-browser.ts'
import { expectAccessible, expectToFit } from './testing/page-checks.ts'
import { startTriageWorld, type TriageWorld } from './testing/triage-world.ts'

let world: TriageWorld

describe.skipIf(!hasChromium)('the feed', () => {
  beforeAll(async () => {
    world = await startTriageWorld()
  }, 90_000)

  afterAll(() => world?.[Symbol.asyncDispose]())

  it('says how to watch, and then shows live what happens there', async () => {
    const page = await world.open('feed', { name: 'Kim' })
    await page.getByText('You watch nothing yet').waitFor()
    await page.getByLabel('Watch also').selectOption({ label: `Line: ${world.lineName}` })
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('button', { name: `Stop watching ${world.lineName}` }).waitFor()
    await page.mouse.move(0, 0)
    const id = await world.raise('watched', 'CRITICAL', 'Seen by those who watch')
    const link = page.getByRole('link', { name: 'Anomaly: watched' })
    await link.waitFor()
    await world.device.send('/app/log', { level: 'ERROR', message: 'The spindle has stopped' })
    await page.getByText('The spindle has stopped').waitFor()
    await world.device.send('/app/log', { level: 'INFO', message: 'All is well' })

    await expectAccessible(page)
    await link.hover()
    const before = await link.boundingBox()
    await world.raise('while-reading')
    const news = page.getByRole('button', { name: /^\d+ new – show$/ })
    await news.waitFor()
    expect(await link.boundingBox()).toEqual(before)
    expect(await page.getByText('All is well').count()).toBe(0)
    await news.click()
    await page.getByRole('link', { name: 'Anomaly: while-reading' }).waitFor()
    await link.click()
    await page.waitForURL(url => url.searchParams.get('anomaly') === id)
    await page.getByRole('heading', { name: 'watched' }).waitFor()
    await page.context().close()
  })

  it('ends a watch, takes that back, and fits a phone', async () => {
    const page = await world.open('feed', { name: 'Lee' }, { width: 390, height: 844 })
    await page.getByRole('button', { name: 'Watch the whole space' }).click()
    const stop = page.getByRole('button', { name: /^Stop watching/ })
    await stop.click()
    await page.getByText('You watch nothing yet').waitFor()
    await page.getByRole('button', { name: 'Watch again' }).click()
    await stop.waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.context().close()
  })
})
