import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Who owns the demo space. */
export const OWNER = { email: 'demo@nuvion.local', password: 'nuvion-demo' }

const CHROMIUM = '/usr/bin/chromium'

/** Whether Chromium is there; says so, loudly, when it is not. */
export const hasChromium = existsSync(CHROMIUM)
if (!hasChromium)
  console.warn(
    'SKIPPED: the tests of the dashboard look at it in Chromium. `apt-get install chromium` gets it.',
  )

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

/** How a page is looked at. */
export interface Look {
  readonly theme?: 'light' | 'dark'
  readonly language?: 'en' | 'ko'
  readonly width?: number
  readonly height?: number
}

/** Somebody at a browser of their own. */
export interface Person extends AsyncDisposable {
  readonly page: Page
  /** What the console said that is wrong, violations of the content security policy among it. */
  readonly complaints: readonly string[]
  /** Opens another tab. */
  openTab(): Promise<Page>
}

/** A browser in which several people sit, each with cookies of their own. */
export interface DashboardBrowser extends AsyncDisposable {
  /** Opens the dashboard for somebody who is not signed in. */
  openPage(look?: Look): Promise<Person>
  /** Signs somebody in, by default the owner, and goes to a page of the dashboard. */
  signIn(path: string, options?: Look & { email?: string }): Promise<Person>
}

/** Starts Chromium for the dashboard at `url`. */
export async function startDashboardBrowser(url: string): Promise<DashboardBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })

  async function openPage({ theme = 'light', language = 'en', width = 1280, height = 800 }: Look = {}) {
    const options: BrowserContextOptions = {
      ...{ baseURL: url, viewport: { width, height }, colorScheme: theme },
      locale: language === 'ko' ? 'ko-KR' : 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    }
    const context = await browser.newContext(options)
    const complaints: string[] = []
    const openTab = async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      page.on('pageerror', error => complaints.push(String(error.stack)))
      page.on('console', message => {
        if (message.type() === 'error')
          complaints.push(
            `${message.text()} at ${message.location().url}:${message.location().lineNumber}:${message.location().columnNumber}`,
          )
      })
      return page
    }
    const person: Person = {
      ...{ page: await openTab(), complaints, openTab },
      async [Symbol.asyncDispose]() {
        await context.close()
      },
    }
    return person
  }

  return {
    openPage,
    async signIn(path, { email = OWNER.email, ...look } = {}) {
      const person = await openPage(look)
      await submitSignIn(person.page, path, email)
      return person
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
    },
  }
}

/** Goes to a page, is sent to the sign-in, and comes back to it. */
export async function submitSignIn(page: Page, path: string, email = OWNER.email): Promise<void> {
  await page.goto(path)
  await page.waitForURL(/\/sign-in/)
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(OWNER.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(address => address.pathname !== '/sign-in')
}
