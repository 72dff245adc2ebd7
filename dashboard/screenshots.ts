import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { graphqlData, signIn } from '../subgraphs/shared/testkit/graphql-request.ts'
import { startProduct } from '../subgraphs/shared/testkit/product.ts'
import { type Look, startDashboardBrowser } from './e2e/testing/dashboard-browser.ts'
import { openPageOf, PAGES } from './e2e/testing/dashboard-pages.ts'

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url))

const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap(theme =>
  (['en', 'ko'] as const).flatMap(language => [
    { theme, language, width: 1440, height: 900 },
    { theme, language, width: 390, height: 844 },
  ]),
)

/** Time for the simulated devices to have something to show. */
const DEMO_MS = 60_000

/** What a page still draws once its last element is there. */
const SETTLE_MS = 700

// Pictures of every page of the demo, in both themes and languages, at a desk and on a phone, to be looked at.
const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-screenshots-'))
{
  await mkdir(FOLDER, { recursive: true })
  await using product = await startProduct({ env: { NUVION_DATA: dataDir, HOST: '127.0.0.1' } })
  console.log(`The demo runs for ${DEMO_MS / 1000} s first.`)
  await new Promise(resolve => setTimeout(resolve, DEMO_MS))
  const token = await signIn(product.url)
  const { spaces } = await graphqlData<{
    spaces: { nodes: { id: string; devices: { nodes: { id: string }[] } }[] }
  }>(product.url, '{ spaces { nodes { id devices { nodes { id } } } } }', { token })
  const [space] = spaces.nodes
  const ids = { spaceId: space?.id ?? '', deviceId: space?.devices.nodes[0]?.id ?? '' }
  await graphqlData(
    product.url,
    'mutation ($id: ID!) { watch(input: { kind: SPACE, id: $id }) { userErrors { code } } }',
    { token, variables: { id: ids.spaceId } },
  )
  await using browser = await startDashboardBrowser(product.url)
  for (const look of LOOKS) {
    await using stranger = await browser.openPage(look)
    await using person = await browser.signIn('/', look)
    for (const page of PAGES) {
      const { page: tab } = page.isForStrangers ? stranger : person
      // A demo may have had no anomaly yet: the page then says so.
      await openPageOf(tab, page, ids).catch(() =>
        console.log(`${page.name} has not all that is waited for.`),
      )
      await tab.waitForTimeout(SETTLE_MS)
      const file = `${page.name}-${look.theme}-${look.language}-${look.width}.png`
      await tab.screenshot({ path: join(FOLDER, file) })
      console.log(file)
    }
  }
}
await rm(dataDir, { recursive: true, force: true })
