import { DateTime } from '../../shared/graphql/scalars.ts'
import type { Resolvers } from '../resolver-types.generated.ts'
import { Device } from './Device.ts'
import { exportMutations } from './export-mutations.ts'
import { Line } from './Line.ts'
import { Process } from './Process.ts'
import { Query } from './Query.ts'
import { ReportRow } from './ReportRow.ts'

/** Resolvers of the reports subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  DateTime,
  Query,
  Mutation: exportMutations,
  AnomalyReportRow: ReportRow,
  LogReportRow: { ...ReportRow, level: ({ severity }) => severity },
  AvailabilityReportRow: ReportRow,
  ResponseReportRow: ReportRow,
  Device,
  Line,
  Process,
}
