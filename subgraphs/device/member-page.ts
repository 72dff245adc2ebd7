import { type PageArgs, readPage, toConnection } from '../shared/graphql/connection.ts'
import type { MemberLoaders } from './member-loaders.ts'
import type {
  InvitationConnectionParent,
  InvitationParent,
  MembershipConnectionParent,
  MembershipParent,
} from './model.ts'

const MEMBER_CURSOR = { kind: 'member', parts: ['id'] } as const
/** A space has one open invitation for an address. */
const INVITATION_CURSOR = { kind: 'invitation', parts: ['text'] } as const

/** Loads a page of a space's members together with those that others ask for in the same tick. */
export async function loadMemberPage(
  loaders: Pick<MemberLoaders, 'memberPage' | 'memberTotal'>,
  spaceId: string,
  args: PageArgs,
): Promise<MembershipConnectionParent> {
  const page = readPage(args, { cursorShape: MEMBER_CURSOR })
  const afterUserId = page.key?.[0] ?? null
  const rows = await loaders.memberPage.load({ spaceId, afterUserId, limit: page.size + 1 })
  return Object.assign(
    toConnection(rows, page, ({ userId }: MembershipParent) => [userId]),
    { count: () => loaders.memberTotal.load(spaceId) },
  )
}

/** Loads a page of a space's open invitations together with those that others ask for in the same tick. */
export async function loadInvitationPage(
  loaders: Pick<MemberLoaders, 'invitationPage' | 'invitationTotal'>,
  spaceId: string,
  args: PageArgs,
): Promise<InvitationConnectionParent> {
  const page = readPage(args, { cursorShape: INVITATION_CURSOR })
  const afterEmail = page.key?.[0] ?? null
  const rows = await loaders.invitationPage.load({ spaceId, afterEmail, limit: page.size + 1 })
  return Object.assign(
    toConnection(rows, page, ({ email }: InvitationParent) => [email]),
    { count: () => loaders.invitationTotal.load(spaceId) },
  )
}
