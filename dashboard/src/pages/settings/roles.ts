import type { Role } from '../../graphql/schema-types.generated.ts'
import { messages } from './messages.ts'

/** The word of a role in the language of the page. */
export function roleText(role: Role): string {
  return {
    OWNER: messages.owner,
    ADMIN: messages.admin,
    OPERATOR: messages.operator,
    VIEWER: messages.viewer,
  }[role]
}

/** Whether a role changes topology, devices and members. */
export function mayManage(role: Role | null): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}

/** Roles that a member may give to others; ownership is handed over apart. */
export function rolesToGive(role: Role | null): readonly Role[] {
  if (role === 'OWNER') return ['VIEWER', 'OPERATOR', 'ADMIN']
  return role === 'ADMIN' ? ['VIEWER', 'OPERATOR'] : []
}
