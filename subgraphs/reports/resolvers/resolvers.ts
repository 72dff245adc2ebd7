import { DateTime } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { Query } from './Query.ts'
import { ReportRow } from './ReportRow.ts'

/** Resolvers of the reports subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  DateTime,
  Query,
  AnomalyReportRow: ReportRow,
  LogReportRow: { ...ReportRow, level: ({ severity }) => severity },
}
