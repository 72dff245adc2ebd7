import type { Check } from './check.ts'
import type { Result } from './result.ts'

/** Formats a result for a terminal: a line a check, then what speaks against the run. */
export function formatReport(result: Result): string {
  const head = ['check', 'value', 'limit', 'unit', '']
  const rows = result.checks.map(check => [
    check.name,
    String(check.value),
    describeLimit(check),
    check.unit,
    check.ok ? 'ok' : 'FAILED',
  ])
  const verdict = result.valid ? 'valid' : 'NOT VALID'
  return [
    `${result.suite} at ${result.commit.slice(0, 12)}, ${result.startedAt}: ${verdict}`,
    '',
    ...formatTable([head, ...rows]),
    ...(result.reasons.length > 0 ? ['', ...result.reasons.map(reason => `not valid: ${reason}`)] : []),
  ].join('\n')
}

/** Aligns columns: the first to the left, the others to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  return rows.map(row =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd(),
  )
}

function describeLimit({ limit, better }: Check): string {
  if (limit === null) return '–'
  return `${better === 'lower' ? '≤' : '≥'} ${limit}`
}
