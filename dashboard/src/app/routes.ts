import { lazyPage } from './lazy-page.tsx'
import type { RouteEntry } from './route-entry.ts'

/** All pages, one line each. Each is a chunk that is loaded when it is gone to. */
export const routes: readonly RouteEntry[] = [
  {
    frame: 'space',
    path: '/spaces/:spaceId/board',
    page: lazyPage(async () => (await import('../pages/board/board-page.tsx')).BoardPage),
  },
  {
    frame: 'space',
    path: '/spaces/:spaceId/devices/:deviceId',
    page: lazyPage(async () => (await import('../pages/device/device-page.tsx')).DevicePage),
  },
  {
    frame: 'space',
    path: '/spaces/:spaceId/anomalies',
    page: lazyPage(async () => (await import('../pages/anomalies/anomalies-page.tsx')).AnomaliesPage),
  },
  {
    frame: 'space',
    path: '/spaces/:spaceId/feed',
    page: lazyPage(async () => (await import('../pages/feed/feed-page.tsx')).FeedPage),
  },
  {
    frame: 'space',
    path: '/spaces/:spaceId/reports',
    page: lazyPage(async () => (await import('../pages/reports/reports-page.tsx')).ReportsPage),
  },
  {
    frame: 'space',
    path: '/spaces/:spaceId/settings',
    page: lazyPage(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage),
  },
  {
    frame: 'bare',
    path: '/spaces/:spaceId/kiosk',
    page: lazyPage(async () => (await import('../pages/kiosk/kiosk-page.tsx')).KioskPage),
  },
  {
    frame: 'bare',
    path: '/kiosk',
    page: lazyPage(async () => (await import('../pages/kiosk/kiosk-page.tsx')).KioskPage),
  },
  {
    frame: 'bare',
    path: '/welcome',
    page: lazyPage(async () => (await import('../pages/account/welcome-page.tsx')).WelcomePage),
  },
  {
    frame: 'account',
    path: '/sign-in',
    page: lazyPage(async () => (await import('../pages/account/sign-in-page.tsx')).SignInPage),
  },
  {
    frame: 'account',
    path: '/sign-up',
    page: lazyPage(async () => (await import('../pages/account/sign-up-page.tsx')).SignUpPage),
  },
  {
    frame: 'account',
    path: '/forgot-password',
    page: lazyPage(
      async () => (await import('../pages/account/forgot-password-page.tsx')).ForgotPasswordPage,
    ),
  },
  {
    frame: 'account',
    path: '/reset-password',
    page: lazyPage(async () => (await import('../pages/account/reset-password-page.tsx')).ResetPasswordPage),
  },
  {
    frame: 'account',
    path: '/verify-email',
    page: lazyPage(async () => (await import('../pages/account/verify-email-page.tsx')).VerifyEmailPage),
  },
  {
    frame: 'account',
    path: '/invitation',
    page: lazyPage(async () => (await import('../pages/account/invitation-page.tsx')).InvitationPage),
  },
]
