import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type DashboardBrowser, hasChromium, startDashboardBrowser } from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

describe.skipIf(!hasChromium)('reports in the dashboard', () => {
  let site: DashboardSite
  let browser: DashboardBrowser

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
    const { device } = await site.connectDevice('REPORT-1')
    for (let at = 0; at < 3; at++)
      await device.send('/app/anomaly', { type: `TYPE-${at}`, severity: 'MAJOR', message: '=1+1' })
    await device.send(
      '/app/log',
      Array.from({ length: 400 }, (_, at) => ({
        level: at % 4 === 0 ? 'WARN' : 'INFO',
        message: `row ${at}`,
      })),
    )
    await waitFor(
      async () => {
        const { logs } = await site.ask<{ logs: { totalCount: number } }>(
          `query ($s: ID!) { logs(spaceId: $s, first: 1) { totalCount } }`,
          { s: site.spaceId },
        )
        return logs.totalCount === 400
      },
      { what: 'the logs to be written' },
    )
  }, 90_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  it('are told as plots and tables, each with an address of its own', async () => {
    await using person = await browser.signIn(`/spaces/${site.spaceId}/reports?range=24h&interval=HOUR`)
    const { page } = person
    await page.locator('canvas').first().waitFor()
    const totals = page.getByRole('table', { name: 'Totals by group' })
    expect(await totals.getByRole('row').allTextContents()).toEqual([expect.any(String), 'Major3100%'])
    await page.getByRole('checkbox', { name: 'Type' }).check()
    await waitFor(async () => (await totals.getByRole('row').count()) === 4, { what: 'a row a type' })
    expect(new URL(page.url()).searchParams.get('by')).toBe('SEVERITY,TYPE')

    await page.getByRole('tab', { name: 'Logs' }).click()
    await page.getByText('400', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Availability' }).click()
    await page.getByRole('row', { name: /REPORT-1/ }).waitFor()
    await page.getByRole('tab', { name: 'Response times' }).click()
    await page.getByRole('row', { name: /Major/ }).waitFor()
    await page.reload()
    await page.getByRole('row', { name: /Major/ }).waitFor()
    expect(person.complaints).toEqual([])
  })

  it('are downloaded as CSV, every event of them, safe for spreadsheets', async () => {
    await using person = await browser.signIn(`/spaces/${site.spaceId}/reports?report=logs&range=24h`)
    const { page } = person
    const read = async (what: string) => {
      await page.getByRole('button', { name: 'Download CSV' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('What').selectOption({ label: what })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ])
      return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    }
    const events = await read('Every single event')
    expect(events).toHaveLength(401)
    expect(events[1]).toContain('row 0')
    await page.getByText('400 rows downloaded').waitFor()
    const report = await read('This report')
    expect(report.slice(1).reduce((sum, row) => sum + Number(row.split(',').at(-1)), 0)).toBe(400)
    await page.goto(`/spaces/${site.spaceId}/reports?report=anomalies&range=24h`)
    const anomalies = await read('Every single event')
    expect(anomalies.filter(row => row.includes("'=1+1"))).toHaveLength(3)
    expect(person.complaints).toEqual([])
  })
})
