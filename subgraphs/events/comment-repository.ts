import { anomalyComment } from '../../schema/mysql/anomaly-tables.ts'
import { and as allOf, desc, eq, type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseMoment, selectBranches } from '../shared/mysql/select-branches.ts'
import { and } from './event-conditions.ts'
import type { CommentParent } from './model.ts'

/** Counting stops here. */
const MAX_COUNTED_COMMENTS = 10_000

/** A piece of an anomaly's comments, in the order of the walk. */
export interface CommentListRequest {
  readonly anomalyId: string
  /** `forward` from older to newer, as the list shows them. */
  readonly direction: 'forward' | 'backward'
  /** Comments behind this one; null from the end on. */
  readonly afterId: string | null
  readonly limit: number
}

type CommentRow = Omit<CommentParent, 'createdAt' | 'editedAt'> & {
  createdAt: string
  editedAt: string | null
}

const COLUMNS = sql.raw(
  `id, anomaly_id anomalyId, space_id spaceId, kind, step, author_id authorId, body, created_at createdAt,
  edited_at editedAt FROM anomaly_comment FORCE INDEX (anomaly_comment_anomaly)`,
)

/** Lists comments of several anomalies in one statement: an answer for each request, in their order. */
export async function listComments(
  db: Db,
  requests: readonly CommentListRequest[],
): Promise<CommentParent[][]> {
  const pieces = await selectBranches<CommentRow>(
    db,
    requests.map(({ anomalyId, direction, afterId, limit }) => {
      const isForward = direction === 'forward'
      const conditions: SQL[] = [sql`anomaly_id = ${anomalyId}`]
      if (afterId !== null) conditions.push(isForward ? sql`id > ${afterId}` : sql`id < ${afterId}`)
      return sql`${COLUMNS} WHERE ${and(conditions)} ORDER BY id ${sql.raw(isForward ? 'ASC' : 'DESC')} LIMIT ${limit}`
    }),
  )
  return pieces.map(rows =>
    rows.map(({ createdAt, editedAt, ...row }) => ({
      ...row,
      createdAt: parseMoment(createdAt),
      editedAt: editedAt === null ? null : parseMoment(editedAt),
    })),
  )
}

/** Counts the comments of several anomalies in one statement, each up to MAX_COUNTED_COMMENTS. */
export async function countComments(db: Db, anomalyIds: readonly string[]): Promise<number[]> {
  const counts = await selectBranches<{ total: number }>(
    db,
    anomalyIds.map(
      id => sql`COUNT(*) total FROM (SELECT 1 FROM anomaly_comment FORCE INDEX (anomaly_comment_anomaly)
        WHERE anomaly_id = ${id} LIMIT ${MAX_COUNTED_COMMENTS}) counted`,
    ),
  )
  return counts.map(([row]) => Number(row?.total ?? 0))
}

/** Finds a comment by id, wherever it is. */
export async function findComment(db: Db, id: string): Promise<CommentParent | undefined> {
  const [row] = await db.select().from(anomalyComment).where(eq(anomalyComment.id, id))
  return row
}

/** Finds the newest comment that a step has left on an anomaly. */
export async function findLastStep(
  db: Db,
  anomalyId: string,
  step: NonNullable<CommentParent['step']>,
): Promise<CommentParent | undefined> {
  const [row] = await db
    .select()
    .from(anomalyComment)
    .where(allOf(eq(anomalyComment.anomalyId, anomalyId), eq(anomalyComment.step, step)))
    .orderBy(desc(anomalyComment.id))
    .limit(1)
  return row
}

/** Adds comments. */
export async function insertComments(db: Db, rows: readonly CommentParent[]): Promise<void> {
  if (rows.length > 0) await db.insert(anomalyComment).values([...rows])
}

/** Changes what a person has said. Answers whether the comment was still there. */
export async function updateCommentBody(
  db: Db,
  { id, body, now }: { id: string; body: string; now: Date },
): Promise<boolean> {
  const [result] = await db
    .update(anomalyComment)
    .set({ body, editedAt: now })
    .where(allOf(eq(anomalyComment.id, id), eq(anomalyComment.kind, 'USER')))
  return result.affectedRows === 1
}

/** Deletes what a person has said. Answers whether it was still there. */
export async function deleteCommentRow(db: Db, id: string): Promise<boolean> {
  const [result] = await db
    .delete(anomalyComment)
    .where(allOf(eq(anomalyComment.id, id), eq(anomalyComment.kind, 'USER')))
  return result.affectedRows === 1
}
