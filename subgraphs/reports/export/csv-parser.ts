/** Reads a file strictly as RFC 4180 has it, each cell as its text. Throws on anything that the grammar does not allow. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    row.push(cell)
    at = end
    if (text[at] === ',') {
      at++
      if (at === text.length) throw new Error('The last row has no end')
    } else if (text.startsWith('\r\n', at)) {
      at += 2
      rows.push(row)
      row = []
    } else throw new Error(`Neither a comma nor CRLF after a cell, at ${at}: ${text.slice(at, at + 20)}`)
  }
  if (row.length > 0) throw new Error('The last row has no end')
  return rows
}

function readPlain(text: string, from: number): [cell: string, end: number] {
  let end = from
  while (end < text.length && !',\r\n"'.includes(text[end] ?? '')) end++
  return [text.slice(from, end), end]
}

function readQuoted(text: string, from: number): [cell: string, end: number] {
  let cell = ''
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at]
    else if (text[at + 1] === '"') {
      cell += '"'
      at++
    } else return [cell, at + 1]
  }
  throw new Error(`A quote that is not closed, at ${from}`)
}
