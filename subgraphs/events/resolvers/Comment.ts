import type { CommentResolvers } from '../resolver-types.generated.ts'

export const Comment: CommentResolvers = {
  author: ({ authorId }) => (authorId === null ? null : { id: authorId }),
}
