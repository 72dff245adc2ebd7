/** How far a download is. */
export interface DownloadProgress {
  readonly rows: number
  /** About how many rows will come; null when the site does not know. */
  readonly estimatedRows: number | null
}

/** Chunks are put together this often, so that they lie in the browser's own storage and not in the page's memory. */
const PART_BYTES = 8 * 1024 * 1024

/** A site that sends nothing for this long has hung up. */
const SILENCE_MS = 60_000

/**
 * Reads a CSV file to its end and answers it with the number of its rows, without the header. Rejects when it breaks off,
 * so that half a file is never taken for a whole one; with code 503 as the message when the site has no room.
 */
export async function downloadCsv(
  url: string,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<{ file: Blob; rows: number }> {
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort(signal.reason))
  let silence = setTimeout(() => controller.abort(new Error('Nothing came for a minute.')), SILENCE_MS)
  try {
    const response = await fetch(url, { signal: controller.signal })
    if (!response.ok || response.body === null) throw new Error(String(response.status))
    const estimate = Number(response.headers.get('x-estimated-rows') ?? Number.NaN)
    const estimatedRows = Number.isFinite(estimate) ? estimate : null
    const reader = response.body.getReader()
    let file = new Blob([], { type: 'text/csv;charset=utf-8' })
    let chunks: Uint8Array<ArrayBuffer>[] = []
    let chunkBytes = 0
    let lines = 0
    for (let result = await reader.read(); !result.done; result = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(() => controller.abort(new Error('Nothing came for a minute.')), SILENCE_MS)
      lines += countLines(result.value)
      chunks.push(result.value)
      chunkBytes += result.value.length
      if (chunkBytes >= PART_BYTES) {
        file = new Blob([file, ...chunks], { type: file.type })
        chunks = []
        chunkBytes = 0
      }
      onProgress({ rows: Math.max(0, lines - 1), estimatedRows })
    }
    return { file: new Blob([file, ...chunks], { type: file.type }), rows: Math.max(0, lines - 1) }
  } finally {
    clearTimeout(silence)
  }
}

/** Ends of lines; those within quoted cells count too, which only the progress shows. */
function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
