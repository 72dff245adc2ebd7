import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import {
  type DashboardBrowser,
  hasChromium,
  type Person,
  startDashboardBrowser,
  submitSignIn,
} from './testing/dashboard-browser.ts'
import { type DashboardSite, startDashboardSite } from './testing/dashboard-site.ts'

describe.skipIf(!hasChromium)('a session at the dashboard', () => {
  let site: DashboardSite
  let browser: DashboardBrowser
  const people: Person[] = []

  beforeAll(async () => {
    site = await startDashboardSite()
    browser = await startDashboardBrowser(site.url)
  }, 90_000)
  afterEach(async () => {
    for (const person of people.splice(0)) {
      expect(person.complaints).toEqual([])
      await person[Symbol.asyncDispose]()
    }
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

  it('begins at the sign-in and leads to where one wanted to go', async () => {
    const { page } = await signIn(`/spaces/${site.spaceId}/reports`)
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/spaces/${site.spaceId}/reports`)
  })

  it('tells who mistypes, beside the form, and keeps what they typed', async () => {
    const person = await browser.openPage()
    people.push(person)
    const { page } = person
    await page.goto('/sign-in')
    await page.locator('input[type=email]').fill('demo@nuvion.local')
    await page.locator('input[type=password]').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
    expect(await page.locator('input[type=email]').inputValue()).toBe('demo@nuvion.local')
  })

  it('outlives a reload, with no token where scripts could read it later', async () => {
    const { page } = await signIn('/')
    await page.locator('[data-device]').first().waitFor()
    await page.reload()
    await page.locator('[data-device]').first().waitFor()
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(kept).not.toMatch(/eyJ|nuvion-refresh/)
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ name: 'nuvion-refresh', httpOnly: true, sameSite: 'Strict' }])
  })

  it('is one for all tabs: they begin at once, and end together', async () => {
    const person = await signIn('/')
    const { page } = person
    await page.locator('[data-device]').first().waitFor()
    const tabs = await Promise.all([person.openTab(), person.openTab(), person.openTab()])
    await Promise.all(tabs.map(tab => tab.goto('/')))
    await Promise.all(tabs.map(tab => tab.locator('[data-device]').first().waitFor()))
    await Promise.all([page, ...tabs].map(tab => tab.reload()))
    await Promise.all([page, ...tabs].map(tab => tab.locator('[data-device]').first().waitFor()))

    await page.getByRole('button', { name: /account/i }).click()
    await page.getByRole('menuitem', { name: /sign out/i }).click()
    await Promise.all([page, ...tabs].map(tab => tab.waitForURL(/\/sign-in/)))
    expect(await page.context().cookies()).toEqual([])
    const [first] = tabs
    if (first === undefined) throw new TypeError('Expected a tab.')
    await submitSignIn(first, '/')
    await page.goto('/')
    await page.locator('[data-device]').first().waitFor()
  })

  it('renews its token without a blink, and the socket lives on', async () => {
    const person = await browser.openPage()
    people.push(person)
    const { page } = person
    let sockets = 0
    const frames: string[] = []
    page.on('websocket', socket => {
      sockets++
      socket.on('framesent', ({ payload }) => frames.push(String(payload)))
    })
    await page.goto('/')
    await submitSignIn(page, '/')
    await page.locator('[data-device]').first().waitFor()
    // A tablet that slept: its token has a minute left, and the next thing that it asks renews it.
    await page.clock.setFixedTime(Date.now() + 14 * 60_000)
    await page.getByRole('link', { name: 'Reports' }).first().click()
    const isRenewal = (frame: string) => frame.includes('__typename }') && frame.includes('authorization')
    await waitFor(() => frames.some(isRenewal), { what: 'a new token at the socket', deadlineMs: 15_000 })
    expect(sockets).toBe(1)
  })

  it('goes to the start page where the page that was asked for is none of ours', async () => {
    for (const next of ['http://', '//elsewhere.test/', 'javascript:alert(1)', '/sign-in']) {
      const { page } = await signIn(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.locator('[data-device]').first().waitFor()
      expect(new URL(page.url()).pathname).toBe(`/spaces/${site.spaceId}/board`)
    }
  })

  it('shows a member who was removed while looking where to go, and lets them sign out', async () => {
    const email = await site.addMember('OPERATOR')
    const member = await browser.signIn(`/spaces/${site.spaceId}/board`, { email })
    people.push(member)
    const { page } = member
    await page.locator('[data-device]').first().waitFor()
    const { space } = await site.ask<{
      space: { members: { nodes: { user: { id: string; email: string | null } }[] } }
    }>('query ($id: ID!) { space(id: $id) { members(first: 100) { nodes { user { id email } } } } }', {
      id: site.spaceId,
    })
    const userId = space.members.nodes.find(({ user }) => user.email === email)?.user.id
    await site.ask(
      'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { userErrors { code } } }',
      {
        input: { spaceId: site.spaceId, userId },
      },
    )
    await page.getByText('You may not see this').waitFor()
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.waitForURL(/\/welcome/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
  })

  it('loads a part that was not to be had when it is asked for again', async () => {
    await using person = await browser.signIn(`/spaces/${site.spaceId}/board`)
    const { page } = person
    await page.locator('[data-device]').first().waitFor()
    await page.route(/feed-page.*\.js/, route => route.abort())
    await page.getByRole('link', { name: 'Feed' }).click()
    await page.getByText('This could not be loaded').waitFor()
    await page.unroute(/feed-page.*\.js/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()
  })
})
