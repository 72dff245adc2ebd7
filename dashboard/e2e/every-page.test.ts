import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import {
  type DashboardBrowser,
  hasChromium,
  type Look,
  startDashboardBrowser,
} from './testing/dashboard-browser.ts'
import { openPageOf, PAGES } from './testing/dashboard-pages.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'
import { expectAccessible, expectToFit } from './testing/page-checks.ts'

const LOOKS: readonly Look[] = [
  { theme: 'light', language: 'en', width: 1280, height: 800 },
  { theme: 'dark', language: 'ko', width: 360, height: 740 },
]

describe.skipIf(!hasChromium)('every page of the dashboard', () => {
  let site: DashboardSite
  let browser: DashboardBrowser
  let ids: { spaceId: string; deviceId: string }

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
    const { id, device } = await site.connectDevice('PAGE-1')
    ids = { spaceId: site.spaceId, deviceId: id }
    await device.send('/app/state', { status: 'RUNNING', metrics: { temperature: 41.2 } })
    await device.send('/app/log', [
      { level: 'INFO', message: 'a line', attributes: { part: 7 } },
      { level: 'ERROR', message: 'another line' },
    ])
    await device.send('/app/anomaly', [
      { id: newId(), type: 'HEAT', severity: 'CRITICAL', message: 'Too hot' },
      { id: newId(), type: 'NOISE', severity: 'MINOR', message: 'Loud' },
    ])
    const { watch } = await site.ask<{ watch: { userErrors: unknown[] } }>(
      `mutation ($id: ID!) { watch(input: { kind: SPACE, id: $id }) { userErrors { code } } }`,
      { id: site.spaceId },
    )
    expect(watch.userErrors).toEqual([])
    await waitFor(
      async () => {
        const { anomalies } = await site.ask<{ anomalies: { nodes: unknown[] } }>(
          `query ($s: ID!) { anomalies(spaceId: $s) { nodes { id } } }`,
          { s: site.spaceId },
        )
        return anomalies.nodes.length === 2
      },
      { what: 'the anomalies to be written' },
    )
  }, 90_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  it.each(LOOKS)(
    'is accessible and fits: $theme, $language, $width px',
    async look => {
      await using stranger = await browser.openPage(look)
      await using person = await browser.signIn('/', look)
      for (const page of PAGES) {
        const who = page.isForStrangers ? stranger : person
        await openPageOf(who.page, page, ids)
        await expectAccessible(who.page)
        await expectToFit(who.page)
        expect(await who.page.locator('h1').count(), page.name).toBe(1)
      }
      expect([...stranger.complaints, ...person.complaints]).toEqual([])
    },
    120_000,
  )

  it('is loaded by a first view of less than 250 KB', async () => {
    await using person = await browser.openPage()
    let bytes = 0
    const client = await person.page.context().newCDPSession(person.page)
    await client.send('Network.enable')
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await person.page.goto('/sign-in')
    await person.page.locator('input[type=email]').fill('demo@nuvion.local')
    await person.page.locator('input[type=password]').fill('nuvion-demo')
    await person.page.keyboard.press('Enter')
    await person.page.locator('[data-device]').first().waitFor()
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(250_000)
  })

  it('says so where there is none, and where one may see nothing', async () => {
    await using person = await browser.signIn('/nowhere')
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(person.page)
    await person.page.goto(`/spaces/${newId()}/board`)
    await person.page.getByText('You may not see this').waitFor()
    await person.page.goto(`/spaces/${site.spaceId}/devices/${newId()}`)
    await person.page.getByText('There is no such device here').waitFor()
    await expectAccessible(person.page)
  })
})
