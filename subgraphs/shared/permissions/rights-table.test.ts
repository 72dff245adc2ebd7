import { describe, expect, it } from 'vitest'
import type { Viewer } from '../auth/viewer.ts'
import { ROLES, type Role } from '../space-access.ts'
import { mayAppoint, RIGHTS, type Right, requireRight } from './rights-table.ts'

const ann: Viewer = { kind: 'user', userId: 'ann', sessionId: 's', expiresAt: 0 }
const device: Viewer = { kind: 'device', deviceId: 'd', spaceId: 'factory', expiresAt: 0 }
const accessAs = (role: Role | null) => ({ roleOf: async () => role })
const ask = (role: Role | null, right: Right, viewer: Viewer | null = ann) =>
  requireRight(accessAs(role), viewer, 'factory', right).then(
    answer => answer.role,
    error => error.code,
  )

describe('the table of rights', () => {
  it.each(Object.entries(RIGHTS) as [Right, Role][])('lets %s to %s and above', async (right, least) => {
    const answers = await Promise.all(ROLES.map(role => ask(role, right)))
    const allowed = ROLES.slice(0, ROLES.indexOf(least) + 1)
    expect(answers).toEqual(ROLES.map(role => (allowed.includes(role) ? role : 'FORBIDDEN')))
  })

  it('hides a space from those who are no members, and from devices and strangers', async () => {
    expect(await ask(null, 'space.read')).toBe('NOT_FOUND')
    expect(await ask('OWNER', 'space.read', null)).toBe('UNAUTHENTICATED')
    expect(await ask('OWNER', 'space.read', device)).toBe('FORBIDDEN')
  })

  it('lets owners appoint up to admins, admins up to operators, and others nobody', () => {
    const appointed = Object.fromEntries(ROLES.map(role => [role, ROLES.filter(r => mayAppoint(role, r))]))
    expect(appointed).toEqual({
      OWNER: ['ADMIN', 'OPERATOR', 'VIEWER'],
      ADMIN: ['OPERATOR', 'VIEWER'],
      OPERATOR: [],
      VIEWER: [],
    })
  })
})
