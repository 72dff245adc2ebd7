import { expect, it } from 'vitest'
import type { Viewer } from './auth/viewer.ts'
import { grantedAccess, type Role } from './space-access.ts'

const ann: Viewer = { kind: 'user', userId: 'ann', sessionId: 's', expiresAt: 0 }
const device: Viewer = { kind: 'device', deviceId: 'ann', spaceId: 'factory', expiresAt: 0 }
const grant = { spaceId: 'factory', role: 'OPERATOR' } as const

function createAsked() {
  const asked: string[] = []
  const roleOf = async (userId: string, spaceId: string): Promise<Role | null> => {
    asked.push(`${userId}@${spaceId}`)
    return 'VIEWER'
  }
  return { asked, access: { roleOf } }
}

it('takes a grant for the role of its viewer in its space, and asks for all others', async () => {
  const { asked, access } = createAsked()
  const granted = grantedAccess(access, { viewer: ann, grant })
  expect(await granted.roleOf('ann', 'factory')).toBe('OPERATOR')
  expect(asked).toEqual([])
  expect(await granted.roleOf('ann', 'site')).toBe('VIEWER')
  expect(await granted.roleOf('bob', 'factory')).toBe('VIEWER')
  expect(asked).toEqual(['ann@site', 'bob@factory'])
})

it.each([
  ['without a grant', { viewer: ann }],
  ['for nobody', { viewer: null, grant }],
  ['for a device', { viewer: device, grant }],
])('asks for every role %s', async (_, request) => {
  const { asked, access } = createAsked()
  expect(await grantedAccess(access, request).roleOf('ann', 'factory')).toBe('VIEWER')
  expect(asked).toEqual(['ann@factory'])
})
