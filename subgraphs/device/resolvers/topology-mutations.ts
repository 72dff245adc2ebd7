import { toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'
import { requireRightAt } from '../right-at.ts'

/** Mutations of a space's lines and processes. */
export const topologyMutations = {
  async createLine(_, { input }, { viewer, access, lines }) {
    const { spaceId } = input
    const { user } = await requireRight(access, viewer, spaceId, 'topology.change')
    return toPayload('line', () => lines.create({ actorId: user.userId, spaceId }, input))
  },

  async updateLine(_, { input }, context) {
    return toPayload('line', async () => {
      const actor = await requireRightAt(context, 'line', input.lineId, 'topology.change')
      return context.lines.update(actor, input)
    })
  },

  async deleteLine(_, { input }, context) {
    return toPayload('line', async () => {
      const actor = await requireRightAt(context, 'line', input.lineId, 'topology.change')
      return context.lines.delete(actor, input)
    })
  },

  async createProcess(_, { input }, { viewer, access, processes }) {
    const { spaceId } = input
    const { user } = await requireRight(access, viewer, spaceId, 'topology.change')
    return toPayload('process', () => processes.create({ actorId: user.userId, spaceId }, input))
  },

  async updateProcess(_, { input }, context) {
    return toPayload('process', async () => {
      const actor = await requireRightAt(context, 'process', input.processId, 'topology.change')
      return context.processes.update(actor, input)
    })
  },

  async deleteProcess(_, { input }, context) {
    return toPayload('process', async () => {
      const actor = await requireRightAt(context, 'process', input.processId, 'topology.change')
      return context.processes.delete(actor, input)
    })
  },
} satisfies MutationResolvers
