import type { Page } from 'playwright-core'
import { user } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import type { Severity } from '../../../schema/severity.ts'
import type { Role } from '../../../subgraphs/shared/space-access.ts'
import type { StompDevice } from '../../../subgraphs/shared/testkit/stomp-device.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { type Look, startDashboardBrowser } from './dashboard-browser.ts'
import { startDashboardSite } from './dashboard-site.ts'

/** A site with a device on a line that raises anomalies, and named people who look at them. */
export interface TriageWorld extends AsyncDisposable {
  readonly deviceId: string
  readonly device: StompDevice
  readonly lineName: string
  /** Opens a page of the space for a new member, an operator unless said otherwise, in a browser of their own. */
  open(path: string, person: { name: string; role?: Role }, look?: Look): Promise<Page>
  /** Makes the device raise an anomaly. Answers its id once the door has taken it. */
  raise(type: string, severity?: Severity, message?: string): Promise<string>
}

/** Starts it. */
export async function startTriageWorld(): Promise<TriageWorld> {
  await using stack = new AsyncDisposableStack()
  const site = stack.use(await startDashboardSite())
  const browser = stack.use(await startDashboardBrowser(site.url))
  const { spaceId, database } = site
  const { space } = await site.ask<{ space: { lines: { id: string; name: string }[] } }>(
    'query ($spaceId: ID!) { space(id: $spaceId) { lines { id name } } }',
    { spaceId },
  )
  const [line] = space.lines
  if (line === undefined) throw new Error('Expected the demo space to have lines, got none.')
  const { id: deviceId, device } = await site.connectDevice('TRIAGE-1')
  await site.ask('mutation ($input: UpdateDeviceInput!) { updateDevice(input: $input) { device { id } } }', {
    input: { deviceId, lineId: line.id },
  })
  const owned = stack.move()
  return {
    ...{ deviceId, device, lineName: line.name },
    async open(path, { name, role = 'OPERATOR' }, look = {}) {
      const email = await site.addMember(role)
      await database.db.update(user).set({ name }).where(eq(user.email, email))
      const { page } = await browser.signIn(`/spaces/${spaceId}/${path}`, {
        ...{ width: 1440, height: 900, ...look },
        email,
      })
      return page
    },
    async raise(type, severity = 'MAJOR', message = `${type} is wrong`) {
      const id = newId()
      await device.send('/app/anomaly', { id, type, severity, message })
      return id
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
