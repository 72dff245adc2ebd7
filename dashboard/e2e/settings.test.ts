import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type DashboardBrowser, hasChromium, startDashboardBrowser } from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

describe.skipIf(!hasChromium)('settings in the dashboard', () => {
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

  const settings = (tab: string) => `/spaces/${site.spaceId}/settings?tab=${tab}`

  it('register a device, and show once the credential that it connects with', async () => {
    await using person = await browser.signIn(settings('devices'))
    const { page } = person
    await page.getByRole('button', { name: 'Register device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('ST-CAM-01')
    await dialog.getByLabel('Name').fill('Taken')
    await dialog.getByRole('button', { name: 'Register device' }).click()
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByLabel('Code').fill('NEW-01')
    await dialog.getByRole('button', { name: 'Register device' }).click()
    const credential = await page.getByTestId('credential').textContent()
    const snippet = (await page.getByTestId('snippet').textContent()) ?? ''
    expect(snippet).toContain(`passcode: '${credential}'`)
    const [, deviceId = ''] = /login: '([^']+)'/.exec(snippet) ?? []
    await page.getByRole('button', { name: 'Copy credential' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(credential)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: /NEW-01/ }).waitFor()
    expect(await page.content()).not.toContain(credential)
    const device = await site.connect({ deviceId, credential: credential ?? '' })
    await device.send('/app/log', { level: 'INFO', message: 'connected' })
    expect(person.complaints).toEqual([])
  })

  it('register a pasted list, all or none', async () => {
    await using person = await browser.signIn(settings('devices'))
    const { page } = person
    await page.getByRole('button', { name: 'Register several' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Devices').fill('L-1, Lamp, , Nowhere\nL-2, Lamp')
    await dialog.getByText('there is no line “Nowhere”').waitFor()
    expect(await dialog.getByRole('button', { name: 'Register 2 devices' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Devices').fill('L-1\tLamp one\t\tStamping\tPress\nL-2\tLamp two')
    await dialog.getByRole('button', { name: 'Register 2 devices' }).click()
    await page.getByRole('dialog', { name: '2 devices registered' }).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: /L-1.*Stamping.*Press/ }).waitFor()
    expect(person.complaints).toEqual([])
  })

  it('put lines in order by drag and drop, and by the menu for who has no mouse', async () => {
    await using person = await browser.signIn(settings('floor'))
    const { page } = person
    const lines = page.getByTestId('line')
    await lines.first().waitFor()
    const names = () => page.getByTestId('line').getByRole('heading', { level: 3 }).allTextContents()
    const before = await names()
    await lines
      .nth(3)
      .getByTitle(/^Drag/)
      .first()
      .dragTo(lines.nth(0).getByRole('heading', { level: 3 }))
    const dragged = [before[3], before[0], before[1], before[2]]
    await waitFor(async () => String(await names()) === String(dragged), {
      what: 'the last line to be first',
    })
    await page.getByRole('button', { name: `Actions on ${before[3]}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
    await waitFor(async () => (await names())[1] === before[3], { what: 'it to be second' })
    await page.reload()
    await lines.first().waitFor()
    expect(await names()).toEqual([before[0], before[3], before[1], before[2]])
    expect(person.complaints).toEqual([])
  })

  it('give a member another role, who sees at once what they may; a viewer changes nothing', async () => {
    const email = await site.addMember('VIEWER')
    await using viewer = await browser.signIn(settings('devices'), { email })
    await viewer.page.getByRole('row', { name: /ST-CAM-01/ }).waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Register device' }).count()).toBe(0)
    await using owner = await browser.signIn(settings('members'))
    const row = owner.page.getByRole('row', { name: new RegExp(email) })
    await row.getByRole('combobox').selectOption({ label: 'Admin' })
    await owner.page.getByText('Saved').waitFor()
    await viewer.page.reload()
    await viewer.page.getByRole('button', { name: 'Register device' }).waitFor()
    await owner.page.getByRole('button', { name: 'Invite' }).click()
    await owner.page.getByRole('dialog').getByLabel('E-mail').fill('kim@example.com')
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await owner.page.getByRole('row', { name: /kim@example.com/ }).waitFor()
    expect([...viewer.complaints, ...owner.complaints]).toEqual([])
  })

  it('keep what a person wants to be told of', async () => {
    await using person = await browser.signIn(settings('notifications'))
    const { page } = person
    await page.getByRole('checkbox', { name: 'Minor' }).check()
    await page.getByLabel(/offline for/).fill('15')
    await page.getByRole('checkbox', { name: 'Quiet hours' }).check()
    await page.getByLabel('From').fill('21:30')
    await page.getByLabel('Address (https)').fill('http://127.0.0.1/hook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid]').waitFor()
    await page.getByLabel('Address (https)').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    await page.getByLabel('From').waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe('21:30')
    expect(await page.getByLabel(/offline for/).inputValue()).toBe('15')
    expect(await page.getByRole('checkbox', { name: 'Minor' }).isChecked()).toBe(true)
    expect(person.complaints).toEqual([])
  })
})
