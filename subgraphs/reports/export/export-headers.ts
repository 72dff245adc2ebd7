import type { ExportRequest } from './export-request.ts'
import type { PlaceNames } from './place-names.ts'

/** Says about how many rows will come; see `ExportReportPayload.url` in the SDL. */
const ESTIMATED_ROWS_HEADER = 'x-estimated-rows'

/** Makes the headers of a file; `estimatedRows` null leaves out what is not known. */
export function headersOf(
  request: ExportRequest,
  { space }: PlaceNames,
  estimatedRows: number | null,
): Record<string, string> {
  const name = fileNameOf(request, space.name)
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${encodeExtended(name)}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(estimatedRows !== null && { [ESTIMATED_ROWS_HEADER]: String(estimatedRows) }),
  }
}

/** Such as `anomalies North hall 2026-11-01 2026-11-30.csv`: kind, space, first and last day, UTC. */
function fileNameOf({ kind, from, to }: ExportRequest, spaceName: string): string {
  const day = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10)
  const last = Math.max(from, to - 1)
  // What file systems take for a folder, a device or a control is not for names.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  const space = spaceName.replaceAll(/[\\/:*?"<>|\u0000-\u001f\u007f]/g, '-')
  return `${kind.toLowerCase().replace('_', '-')} ${space} ${day(from)} ${day(last)}.csv`
}

/** For clients that know no `filename*` (RFC 6266 §5). */
function toAscii(name: string): string {
  return name.replaceAll(/[^ -~]/g, '_').replaceAll(/["\\%]/g, '_')
}

/** An ext-value (RFC 8187 §3.2.1). */
function encodeExtended(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
