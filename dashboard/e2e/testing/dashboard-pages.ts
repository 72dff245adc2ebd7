import type { Page } from 'playwright-core'

/** A page as it is looked at by tests and screenshots. */
export interface DashboardPage {
  readonly name: string
  /** `:spaceId` and `:deviceId` are put in. */
  readonly path: string
  /** Seen without being signed in. */
  readonly isForStrangers?: boolean
  /** What is there once the page has all it shows. */
  readonly awaits: string
}

/** All pages of the dashboard. */
export const PAGES: readonly DashboardPage[] = [
  { name: 'sign-in', path: '/sign-in', awaits: 'input[type=password]', isForStrangers: true },
  { name: 'sign-up', path: '/sign-up', awaits: 'input[type=password]', isForStrangers: true },
  { name: 'forgot-password', path: '/forgot-password', awaits: 'input[type=email]', isForStrangers: true },
  {
    ...{ name: 'reset-password', path: '/reset-password#token=x', isForStrangers: true },
    awaits: 'input[type=password]',
  },
  { name: 'verify-email', path: '/verify-email', awaits: 'form', isForStrangers: true },
  { name: 'invitation', path: '/invitation#token=x', awaits: 'h1' },
  { name: 'welcome', path: '/welcome', awaits: 'form' },
  { name: 'board', path: '/spaces/:spaceId/board', awaits: '[data-device]' },
  { name: 'device', path: '/spaces/:spaceId/devices/:deviceId', awaits: '[data-log]' },
  { name: 'anomalies', path: '/spaces/:spaceId/anomalies', awaits: 'main li' },
  { name: 'feed', path: '/spaces/:spaceId/feed', awaits: 'main li' },
  { name: 'reports-anomalies', path: '/spaces/:spaceId/reports?range=24h&interval=HOUR', awaits: 'canvas' },
  { name: 'reports-logs', path: '/spaces/:spaceId/reports?report=logs&range=24h', awaits: 'canvas' },
  { name: 'reports-availability', path: '/spaces/:spaceId/reports?report=availability', awaits: 'tbody tr' },
  { name: 'reports-response', path: '/spaces/:spaceId/reports?report=response', awaits: 'tbody tr' },
  { name: 'settings-devices', path: '/spaces/:spaceId/settings?tab=devices', awaits: 'tbody tr' },
  { name: 'settings-floor', path: '/spaces/:spaceId/settings?tab=floor', awaits: '[data-testid=line]' },
  { name: 'settings-members', path: '/spaces/:spaceId/settings?tab=members', awaits: 'tbody tr' },
  { name: 'settings-space', path: '/spaces/:spaceId/settings?tab=space', awaits: 'form' },
  { name: 'settings-notifications', path: '/spaces/:spaceId/settings?tab=notifications', awaits: 'form' },
  { name: 'settings-account', path: '/spaces/:spaceId/settings?tab=account', awaits: 'form' },
  { name: 'settings-audit', path: '/spaces/:spaceId/settings?tab=audit', awaits: 'tbody tr' },
  { name: 'kiosk', path: '/spaces/:spaceId/kiosk', awaits: 'main li' },
]

/** Goes to a page, and waits for what it shows. */
export async function openPageOf(
  page: Page,
  { path, awaits }: DashboardPage,
  { spaceId, deviceId }: { spaceId: string; deviceId: string },
): Promise<void> {
  await page.goto(path.replace(':spaceId', spaceId).replace(':deviceId', deviceId))
  await page.locator(awaits).first().waitFor()
}
