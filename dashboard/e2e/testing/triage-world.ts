import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { user } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import type { Role } from '../../../subgraphs/shared/space-access.ts'
import { addMembers } from '../../../subgraphs/shared/testkit/add-members.ts'
import { graphqlData, signIn } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase } from '../../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis } from '../../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../../subgraphs/shared/testkit/product.ts'
import { connectStompDevice, type StompDevice } from '../../../subgraphs/shared/testkit/stomp-device.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'

/** A running product with a space of two lines, people who sign in, a device at the door and a browser. */
export interface TriageWorld extends AsyncDisposable {
  readonly url: string
  readonly spaceId: string
  readonly deviceId: string
  readonly lineName: string
  /** Opens a page of the space for a person of that name and role, in a browser of their own. */
  open(path: string, person?: { name?: string; role?: Role }, options?: BrowserContextOptions): Promise<Page>
  /** Makes the device raise an anomaly. Answers its id once the door has taken it. */
  raise(type: string, severity?: 'INFO' | 'MINOR' | 'MAJOR' | 'CRITICAL', message?: string): Promise<string>
  /** Sends something else of the device. */
  readonly device: StompDevice
  /** Violations that axe calls serious or critical, as text. */
  audit(page: Page): Promise<string[]>
}

const PASSWORD = 'nuvion-demo'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What the page answers: the frame around it is audited where it is tested. */
const AUDIT = `axe.run('main').then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`

/** Starts it on a database and Redis of its own, with the dashboard as it was last built. */
export async function startTriageWorld(): Promise<TriageWorld> {
  const stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase({ isMigrated: false }))
  const redis = stack.use(await openTestRedis())
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-triage-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const product: Product = stack.use(
    await startProduct({
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: database.url,
        REDIS_URL: redis.liveUrl,
        REDIS_INGEST_URL: redis.ingestUrl,
        HOST: '127.0.0.1',
        NUVION_DEMO: '1',
      },
    }),
  )
  const { url } = product
  const token = await signIn(url)
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that was asked for
  const ask = (query: string, variables = {}) => graphqlData<any>(url, query, { token, variables })
  const { spaces } = await ask('{ spaces { nodes { id lines { id name } } } }')
  const [{ id: spaceId, lines }] = spaces.nodes
  const [line] = lines
  const input = { spaceId, code: 'TRIAGE-1', name: 'Triage press', lineId: line.id }
  const { registerDevice } = await ask(
    'mutation ($input: RegisterDeviceInput!) { registerDevice(input: $input) { device { id } credential userErrors { message } } }',
    { input },
  )
  const { credential } = registerDevice
  const deviceId: string = registerDevice.device.id
  const device = stack.use(await connectStompDevice(url, { deviceId, credential }))
  const browser: Browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  stack.defer(() => browser.close())
  const axe = await readFile(AXE, 'utf8')

  return {
    ...{ url, spaceId, deviceId, device, lineName: line.name },
    async open(path, { name = 'Kim', role = 'OPERATOR' } = {}, options = {}) {
      const [email = ''] = await addMembers(database.db, { spaceId, count: 1, role })
      await database.db.update(user).set({ name }).where(eq(user.email, email))
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1440, height: 900 },
        ...options,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      await page.goto(`${url}/sign-in`)
      await page.locator('input[type=email]').fill(email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/board/)
      await page.goto(`${url}/spaces/${spaceId}/${path}`)
      return page
    },
    async raise(type, severity = 'MAJOR', message = `${type} is wrong`) {
      const id = newId()
      await device.send('/app/anomaly', { id, type, severity, message })
      return id
    },
    async audit(page) {
      await page.evaluate(axe)
      return page.evaluate(AUDIT)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
