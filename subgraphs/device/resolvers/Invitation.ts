import type { InvitationResolvers } from '../resolver-types.generated.ts'

/** Whoever got hold of an invitation may invite in its space. */
export const Invitation: InvitationResolvers = {
  invitedBy: ({ invitedBy }, _, { loaders }) => loaders.userById.load(invitedBy),
}
