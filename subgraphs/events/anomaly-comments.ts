import { AppError } from '../shared/errors.ts'
import { readFields, refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { checkRight } from '../shared/permissions/rights-table.ts'
import type { SpaceAccess } from '../shared/space-access.ts'
import { isUuidV7, newId } from '../shared/uuid-v7.ts'
import type { AnomalyChanges } from './anomaly-changes.ts'
import { findAnomalies } from './anomaly-repository.ts'
import { parseCommentBody } from './comment-body.ts'
import { deleteCommentRow, findComment, insertComments, updateCommentBody } from './comment-repository.ts'
import type { CommentParent } from './model.ts'
import { findWorkableAnomalies } from './workable-anomalies.ts'

/** What comments are made with. */
interface CommentPorts {
  readonly db: Db
  readonly access: SpaceAccess
  readonly anomalyChanges: AnomalyChanges
}

/** Adds what a user says about an anomaly. Throws a Refusal, and FORBIDDEN when their role is too small. */
export async function addComment(
  ports: CommentPorts,
  userId: string,
  input: { readonly anomalyId: string; readonly body: string },
): Promise<CommentParent> {
  const { anomalyId } = input
  const anomaly = (await findWorkableAnomalies(ports, userId, [anomalyId])).get(anomalyId)
  if (anomaly === undefined) return refuse('NOT_FOUND', 'anomalyId', 'There is no such anomaly.')
  const { body } = readFields({ body: parseCommentBody(input.body) })
  const comment: CommentParent = {
    ...{ id: newId(), anomalyId, spaceId: anomaly.spaceId, kind: 'USER', step: null, authorId: userId },
    ...{ body, createdAt: new Date(), editedAt: null },
  }
  await insertComments(ports.db, [comment])
  await tellOfComment(ports, anomalyId)
  return comment
}

/** Changes a comment of the user's own. Throws as addComment does. */
export async function editComment(
  ports: CommentPorts,
  userId: string,
  input: { readonly commentId: string; readonly body: string },
): Promise<CommentParent> {
  const comment = await getWorkableComment(ports, userId, input.commentId)
  if (comment.authorId !== userId)
    throw new AppError('FORBIDDEN', 'Only those who have written a comment change it.')
  const { body } = readFields({ body: parseCommentBody(input.body) })
  const editedAt = new Date()
  if (!(await updateCommentBody(ports.db, { id: comment.id, body, now: editedAt }))) return refuseMissing()
  await tellOfComment(ports, comment.anomalyId)
  return { ...comment, body, editedAt }
}

/** Deletes a comment of the user's own, or, for admins, of anybody. Answers it as it was. Throws as addComment does. */
export async function deleteComment(
  ports: CommentPorts,
  userId: string,
  { commentId }: { readonly commentId: string },
): Promise<CommentParent> {
  const comment = await getWorkableComment(ports, userId, commentId)
  if (comment.authorId !== userId)
    checkRight(await ports.access.roleOf(userId, comment.spaceId), 'anomaly.moderate')
  if (!(await deleteCommentRow(ports.db, comment.id))) return refuseMissing()
  await tellOfComment(ports, comment.anomalyId)
  return comment
}

/** Finds what a person has said where the user may work. */
async function getWorkableComment(
  { db, access }: CommentPorts,
  userId: string,
  id: string,
): Promise<CommentParent> {
  const comment = isUuidV7(id) ? await findComment(db, id) : undefined
  const role = comment === undefined ? null : await access.roleOf(userId, comment.spaceId)
  if (comment === undefined || role === null) return refuseMissing()
  checkRight(role, 'anomaly.work')
  if (comment.kind === 'SYSTEM')
    throw new AppError('FORBIDDEN', 'What the steps of an anomaly have left stays as it is.')
  return comment
}

function refuseMissing(): never {
  return refuse('NOT_FOUND', 'commentId', 'There is no such comment.')
}

/** Tells of an anomaly, as it is by now, that its comments have changed. */
async function tellOfComment({ db, anomalyChanges }: CommentPorts, anomalyId: string): Promise<void> {
  const found = await findAnomalies(db, [anomalyId])
  await anomalyChanges.publish(found.map(anomaly => ({ change: 'COMMENTED', anomaly })))
}
