import { severityText } from '../../ui/severity-badge.tsx'
import { messages } from './messages.ts'
import type { ReportGroup } from './report-request.ts'

/** What rows of all reports may say of their group. */
export interface GroupedRow {
  readonly line: { readonly name: string } | null
  readonly process: { readonly name: string } | null
  readonly device: { readonly id: string; readonly code: string; readonly name: string } | null
  readonly type?: string | null
  readonly severity?: 'INFO' | 'MINOR' | 'MAJOR' | 'CRITICAL' | null
  readonly level?: string | null
}

/** The name of a group in the language of the page. */
export function groupTitle(group: ReportGroup): string {
  return {
    LINE: messages.line,
    PROCESS: messages.process,
    DEVICE: messages.device,
    TYPE: messages.type,
    SEVERITY: messages.severity,
    LEVEL: messages.level,
  }[group]
}

/** What a row is of, in one group. */
export function groupValue(row: GroupedRow, group: ReportGroup): string {
  switch (group) {
    case 'LINE':
      return row.line?.name ?? messages.none
    case 'PROCESS':
      return row.process?.name ?? messages.none
    case 'DEVICE':
      return row.device?.code ?? messages.none
    case 'TYPE':
      return row.type ?? messages.none
    case 'SEVERITY':
      return row.severity == null ? messages.none : severityText(row.severity)
    case 'LEVEL':
      return row.level ?? messages.none
  }
}

/** What a row is of, in all groups. */
export function groupName(row: GroupedRow, groups: readonly ReportGroup[]): string {
  return groups.length === 0 ? messages.all : groups.map(group => groupValue(row, group)).join(' · ')
}
