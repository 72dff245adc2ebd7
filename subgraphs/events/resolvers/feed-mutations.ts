import { requireUser } from '../../shared/auth/viewer.ts'
import { refuse, toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { MAX_WATCHES } from '../feed/watches.ts'
import type { WatchTargetParent } from '../model.ts'
import type { MutationResolvers, WatchKind } from '../resolver-types.generated.ts'

const NAMES = { DEVICE: 'device', LINE: 'line', PROCESS: 'process', SPACE: 'space' } as const
const TYPES = { DEVICE: 'Device', LINE: 'Line', PROCESS: 'Process', SPACE: 'Space' } as const

/** Mutations of what one watches. */
export const feedMutations = {
  async watch(_, { input: { kind, id } }, { viewer, access, feeds }) {
    const user = requireUser(viewer)
    return toPayload('watch', async () => {
      const target = await feeds.watches.findTarget(kind, id)
      const role = target && (await access.roleOf(user.userId, target.spaceId))
      // What is in a space of others gets the answer of what does not exist.
      if (!target || !role) return refuse('NOT_FOUND', 'id', `There is no such ${NAMES[kind]}.`)
      await requireRight(access, viewer, target.spaceId, 'space.read')
      const watch = await feeds.watches.add(user, target)
      return watch ?? refuse('LIMIT_REACHED', null, `A person watches ${MAX_WATCHES} at most.`)
    })
  },

  async unwatch(_, { input: { kind, id } }, { viewer, feeds }) {
    const user = requireUser(viewer)
    return toPayload('target', async () => {
      await feeds.watches.remove(user, { kind, targetId: id })
      return toWatchTarget(kind, id)
    })
  },
} satisfies MutationResolvers

/** The stub of what is watched. */
export function toWatchTarget(kind: WatchKind, id: string): WatchTargetParent {
  return { __typename: TYPES[kind], id }
}
