import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { type DashboardBrowser, hasChromium, startDashboardBrowser } from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

const DEVICES = 1_000

/** At the seed's rates a device tells its state each 5 s, and an anomaly each 30 s: 200 and 33 events a second. */
const EVENTS_PER_SECOND = DEVICES / 5
const STATES_PER_ANOMALY = 6

/** Devices that connect at once. */
const AT_ONCE = 50

const MEASURED_MS = 10_000

const STATUSES = ['RUNNING', 'IDLE', 'STOPPED', 'ERROR'] as const

describe.skipIf(!hasChromium)('a board of 1,000 devices', () => {
  let site: DashboardSite
  let browser: DashboardBrowser

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
  }, 90_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  it('is smooth at the rates of the seed: the page works less than 30 % of the time, never 200 ms at once', async () => {
    const logins: { deviceId: string; credential: string }[] = []
    for (const half of [0, 1]) {
      const devices = Array.from({ length: DEVICES / 2 }, (_, at) => {
        const number = half * (DEVICES / 2) + at
        return { code: `K-${String(number).padStart(4, '0')}`, name: `Device ${number}` }
      })
      const { registerDevices } = await site.ask<{
        registerDevices: { registered: { device: { id: string }; credential: string }[] }
      }>(
        `mutation ($input: RegisterDevicesInput!) {
          registerDevices(input: $input) { registered { device { id } credential } }
        }`,
        { input: { spaceId: site.spaceId, devices } },
      )
      for (const { device, credential } of registerDevices.registered)
        logins.push({ deviceId: device.id, credential })
    }
    await using person = await browser.signIn('/', { width: 1920, height: 1080 })
    const { page } = person
    await page.locator('[data-device]').first().waitFor()
    const senders: StompDevice[] = []
    for (let at = 0; at < logins.length; at += AT_ONCE)
      senders.push(...(await Promise.all(logins.slice(at, at + AT_ONCE).map(site.connect))))

    await page.evaluate(`{
      window.longest = 0
      window.mutations = 0
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
      }).observe({ type: 'longtask' })
      new MutationObserver(records => { window.mutations += records.length })
        .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    }`)
    const client = await page.context().newCDPSession(page)
    await client.send('Performance.enable')
    const busySeconds = async () => {
      const { metrics } = await client.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    }
    const before = await busySeconds()
    const beganAt = performance.now()
    let sent = 0
    while (performance.now() - beganAt < MEASURED_MS) {
      const due = Math.floor(((performance.now() - beganAt) / 1000) * EVENTS_PER_SECOND)
      const sends: Promise<void>[] = []
      for (; sent < due; sent++) {
        const status = STATUSES[sent % STATUSES.length]
        const metrics = { temperature: sent % 97 }
        const sender = senders[sent % DEVICES]
        if (sender === undefined) throw new TypeError('Expected a sender for each device.')
        sends.push(sender.send('/app/state', { status, metrics }))
        if (sent % STATES_PER_ANOMALY === 0)
          sends.push(sender.send('/app/anomaly', { type: `T-${sent % 4}`, severity: 'MINOR' }))
      }
      await Promise.all(sends)
      await page.mouse.wheel(0, sent % 400 < 200 ? 240 : -240)
    }
    const seconds = (performance.now() - beganAt) / 1000
    const share = ((await busySeconds()) - before) / seconds
    const [longest, mutations] = (await page.evaluate('[window.longest, window.mutations]')) as number[]
    console.log(
      `1,000 devices, ${Math.round(sent / seconds)} states/s and their anomalies while scrolling: the page is busy ${(share * 100).toFixed(1)} % of the time, its longest task took ${longest} ms`,
    )
    expect(sent).toBeGreaterThan(EVENTS_PER_SECOND * 8)
    expect(mutations).toBeGreaterThan(100)
    expect(share).toBeLessThan(0.3)
    expect(longest).toBeLessThanOrEqual(200)
    expect(person.complaints).toEqual([])
  }, 120_000)
})
