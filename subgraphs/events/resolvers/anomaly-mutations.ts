import { requireUser } from '../../shared/auth/viewer.ts'
import { readFields, toPayload } from '../../shared/graphql/refusal.ts'
import { addComment, deleteComment, editComment } from '../anomaly-comments.ts'
import { answerAcknowledged, answerStep } from '../anomaly-step-answers.ts'
import { acknowledgeAnomalies, reopenAnomaly, resolveAnomaly } from '../anomaly-steps.ts'
import { parseCommentBody } from '../comment-body.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations of people who work on anomalies. */
export const anomalyMutations = {
  async acknowledgeAnomaly(_, { input: { anomalyId } }, context) {
    return answerStep(context, anomalyId, async (userId, anomaly) => {
      const [result] = await acknowledgeAnomalies(context, userId, [anomaly])
      return result ?? null
    })
  },

  acknowledgeAnomalies: async (_, { input: { anomalyIds } }, context) =>
    answerAcknowledged(context, anomalyIds),

  async resolveAnomaly(_, { input: { anomalyId, comment } }, context) {
    const { answer, userErrors } = await toPayload('answer', () =>
      answerStep(context, anomalyId, async (userId, { id }) => {
        const said = readFields({ comment: comment == null ? undefined : parseCommentBody(comment) })
        return resolveAnomaly(context, userId, { id, comment: said.comment })
      }),
    )
    return answer ?? { anomaly: null, conflict: null, userErrors }
  },

  reopenAnomaly: async (_, { input: { anomalyId } }, context) =>
    answerStep(context, anomalyId, (userId, anomaly) => reopenAnomaly(context, userId, anomaly)),

  async commentOnAnomaly(_, { input }, context) {
    const { userId } = requireUser(context.viewer)
    return toPayload('comment', () => addComment(context, userId, input)).finally(context.renewAnomalies)
  },

  async editComment(_, { input }, context) {
    const { userId } = requireUser(context.viewer)
    return toPayload('comment', () => editComment(context, userId, input)).finally(context.renewAnomalies)
  },

  async deleteComment(_, { input }, context) {
    const { userId } = requireUser(context.viewer)
    return toPayload('comment', () => deleteComment(context, userId, input)).finally(context.renewAnomalies)
  },
} satisfies MutationResolvers
