import DataLoader from 'dataloader'
import type { Db } from '../shared/mysql/open-mysql.ts'
import {
  countOpenInvitationsOfSpaces,
  type InvitationListRequest,
  listOpenInvitations,
} from './invitation-repository.ts'
import { countMembers, listMembers, type MemberListRequest } from './member-repository.ts'
import type { InvitationParent, MembershipParent, UserParent } from './model.ts'
import { findFellows } from './user-repository.ts'

/** Batches of one request over the members of spaces. */
export interface MemberLoaders {
  readonly memberPage: DataLoader<MemberListRequest, MembershipParent[], string>
  readonly memberTotal: DataLoader<string, number>
  readonly invitationPage: DataLoader<InvitationListRequest, InvitationParent[], string>
  readonly invitationTotal: DataLoader<string, number>
  /** People as one of them may see them: themselves and members of spaces that they are in; null for others. */
  fellowOf(viewerId: string): DataLoader<string, UserParent | null>
}

/** Branches of one statement at most. */
const maxBatchSize = 500

/** Creates the loaders of one request: each answers what is asked of it in one tick with one statement. */
export function createMemberLoaders(db: Db): MemberLoaders {
  let fellows: DataLoader<string, UserParent | null> | undefined
  return {
    memberPage: new DataLoader(requests => listMembers(db, requests), {
      maxBatchSize,
      cacheKeyFn: ({ spaceId, afterUserId, limit }) => JSON.stringify([spaceId, afterUserId, limit]),
    }),
    memberTotal: new DataLoader(
      async ids => {
        const totals = await countMembers(db, ids)
        return ids.map(id => totals.get(id) ?? 0)
      },
      { maxBatchSize },
    ),
    invitationPage: new DataLoader(requests => listOpenInvitations(db, requests, new Date()), {
      maxBatchSize,
      cacheKeyFn: ({ spaceId, afterEmail, limit }) => JSON.stringify([spaceId, afterEmail, limit]),
    }),
    invitationTotal: new DataLoader(ids => countOpenInvitationsOfSpaces(db, ids, new Date()), {
      maxBatchSize,
    }),
    fellowOf(viewerId) {
      fellows ??= new DataLoader(
        async ids => {
          const rows = new Map((await findFellows(db, viewerId, ids)).map(row => [row.id, row]))
          return ids.map(id => rows.get(id) ?? null)
        },
        { maxBatchSize },
      )
      return fellows
    },
  }
}
