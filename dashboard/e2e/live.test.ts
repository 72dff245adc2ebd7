import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import {
  type DashboardBrowser,
  hasChromium,
  type Person,
  startDashboardBrowser,
} from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

/** How long what people see may be away. */
const DOWNTIME_MS = 30_000

describe.skipIf(!hasChromium)('what happens in the factory', () => {
  let site: DashboardSite
  let browser: DashboardBrowser
  const people: Person[] = []

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
  }, 90_000)
  afterEach(async () => {
    for (const person of people.splice(0)) await person[Symbol.asyncDispose]()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  async function signIn(path: string): Promise<Person> {
    const person = await browser.signIn(path)
    people.push(person)
    return person
  }

  it('is on the board within 2 s of the sign-in', async () => {
    const person = await browser.openPage()
    people.push(person)
    const { page } = person
    await page.goto('/sign-in')
    await page.locator('input[type=email]').fill('demo@nuvion.local')
    await page.locator('input[type=password]').fill('nuvion-demo')
    const pressedAt = performance.now()
    await page.keyboard.press('Enter')
    await page.locator('[data-device]').first().waitFor()
    await page.getByText('Live', { exact: true }).first().waitFor()
    expect(performance.now() - pressedAt).toBeLessThan(2_000)
    expect(person.complaints).toEqual([])
  })

  it('changes the tile of its device within a second, and that tile alone', async () => {
    const { id, device } = await site.connectDevice('BOARD-1')
    const { page } = await signIn('/')
    const tile = page.locator(`[data-device="${id}"]`)
    await tile.waitFor()
    await page.evaluate(`{
      window.changed = new Set()
      new MutationObserver(records => {
        for (const { target } of records) {
          const tile = (target.nodeType === 1 ? target : target.parentElement)?.closest('[data-device]')
          if (tile) window.changed.add(tile.dataset.device)
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    }`)
    await device.send('/app/state', { status: 'ERROR', metrics: { temperature: 91.5 } })
    await page.locator(`[data-device="${id}"][data-status="ERROR"]`).waitFor({ timeout: 1_000 })
    await device.send('/app/anomaly', { type: 'HEAT', severity: 'CRITICAL', message: 'Too hot' })
    await page.locator(`[data-device="${id}"][data-severity="CRITICAL"]`).waitFor({ timeout: 1_000 })
    expect(await tile.textContent()).toContain('91.5 temperature')
    expect(await page.evaluate('[...window.changed]')).toEqual([id])
    await device[Symbol.asyncDispose]()
    await page.locator(`[data-device="${id}"][data-status="OFFLINE"]`).waitFor({ timeout: 5_000 })
  })

  it('keeps what the board was narrowed down to through a reload, and is walked by keys', async () => {
    const { page } = await signIn('/')
    await page.locator('[data-device]').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('CAM')
    await waitFor(async () => (await page.locator('[data-device]').count()) === 4, { what: 'the cameras' })
    await page.reload()
    await page.locator('[data-device]').first().waitFor()
    expect(await page.locator('[data-device]').count()).toBe(4)
    await page.locator('[data-device]').first().focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    const focused = () => page.evaluate('document.activeElement?.dataset.device')
    const third = await page.locator('[data-device]').nth(2).getAttribute('data-device')
    await waitFor(async () => (await focused()) === third, { what: 'the third tile to have the focus' })
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/devices/${third}`)
  })

  it('is in the logs of its device within a second, and the place is kept while the tail is paused', async () => {
    const { id, device } = await site.connectDevice('TAIL-1')
    await device.send(
      '/app/log',
      Array.from({ length: 150 }, (_, at) => ({ level: 'INFO', message: `line ${at}` })),
    )
    const { page } = await signIn(`/spaces/${site.spaceId}/devices/${id}`)
    await page.getByText('line 149', { exact: true }).waitFor()
    await device.send('/app/log', { level: 'WARN', message: 'a new line' })
    await page.getByText('a new line', { exact: true }).waitFor({ timeout: 1_000 })

    await page.getByRole('button', { name: 'Pause' }).click()
    const top = () => page.getByText('a new line', { exact: true }).boundingBox()
    const before = await top()
    const more = Array.from({ length: 200 }, (_, at) => ({ level: 'INFO', message: `later ${at}` }))
    await device.send('/app/log', more)
    await page.getByRole('button', { name: '200 new lines' }).waitFor({ timeout: 3_000 })
    expect(await top()).toEqual(before)
    await page.getByRole('button', { name: '200 new lines' }).click()
    await page.getByText('later 199', { exact: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Text in logs' }).fill('a NEW')
    await waitFor(async () => (await page.locator('[data-log]').count()) === 1, {
      what: 'the line searched for',
    })
    await page.getByText('a new line', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Text in logs' }).fill('')
    await page.getByText('later 199', { exact: true }).waitFor()

    const list = page.getByRole('region', { name: 'Lines of the log' })
    await list.evaluate(element => {
      element.scrollTop = 0
    })
    const loadOlder = page.getByRole('button', { name: 'Load older lines' })
    const isAll = async () => {
      if (await page.getByText('There are no older lines').isVisible()) return true
      await loadOlder.click({ timeout: 1_000 }).catch(() => {})
      return false
    }
    await waitFor(isAll, { what: 'all of the logs', deadlineMs: 15_000 })
    await list.evaluate(element => {
      element.scrollTop = 0
    })
    await page.getByText('line 0', { exact: true }).waitFor()
  })

  it('is all there after the product was away for half a minute, each line once and in order', async () => {
    const { id, device } = await site.connectDevice('AWAY-1')
    await device.send('/app/log', { level: 'INFO', message: 'before' })
    const { page } = await signIn(`/spaces/${site.spaceId}/devices/${id}`)
    await page.getByText('before', { exact: true }).waitFor()
    await site.stopFront()
    await page
      .getByText(/Reconnecting/)
      .first()
      .waitFor()
    const stoppedAt = Date.now()
    let sent = 0
    // Devices go on: their door is another process.
    while (Date.now() - stoppedAt < DOWNTIME_MS) {
      await device.send(
        '/app/log',
        Array.from({ length: 5 }, () => ({ id: newId(), level: 'INFO', message: `away ${sent++}` })),
      )
      await page.waitForTimeout(1_000)
    }
    await device.send('/app/state', { status: 'STOPPED' })
    await site.startFront()
    await page.getByText('Live', { exact: true }).first().waitFor({ timeout: 20_000 })
    await page.getByText(`away ${sent - 1}`, { exact: true }).waitFor()
    await page.getByText('Stopped', { exact: true }).first().waitFor()
    const list = page.getByRole('region', { name: 'Lines of the log' })
    const seen: string[] = []
    await list.evaluate(element => {
      element.scrollTop = 0
    })
    for (let at = 0; at < 100 && seen.at(-1) !== `away ${sent - 1}`; at++) {
      const shown = await page.locator('[data-log] button > span:last-child').allTextContents()
      for (const text of shown) if (!seen.includes(text)) seen.push(text)
      await list.evaluate(element => {
        element.scrollTop += 200
      })
    }
    expect(seen).toEqual(['before', ...Array.from({ length: sent }, (_, at) => `away ${at}`)])
  }, 120_000)
})
