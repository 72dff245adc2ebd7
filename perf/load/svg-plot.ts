/** A line of a plot; places without a value are left open. */
export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** A plot over the seconds of a run. */
export interface Plot {
  readonly title: string
  readonly unit: string
  readonly lines: readonly Line[]
  /** Seconds that are measured: shaded. */
  readonly measured: readonly (readonly [from: number, to: number])[]
  /** A level to compare with. */
  readonly limit?: number
}

const [WIDTH, HEIGHT] = [560, 220]
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 12, 26]
const COLOURS = [
  '#2563eb',
  '#dc2626',
  '#059669',
  '#d97706',
  '#7c3aed',
  '#0891b2',
  '#be185d',
  '#4d7c0f',
  '#475569',
]

/** Draws a plot as SVG, with its title, axes and a legend. Empty text when no line has a value. */
export function drawPlot({ title, unit, lines, measured, limit }: Plot): string {
  const drawn = lines
    .map(line => ({ ...line, points: line.points.filter(([, y]) => Number.isFinite(y)) }))
    .filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return ''
  const xs = drawn.flatMap(({ points }) => points.map(([x]) => x))
  const [minX, maxX] = [Math.min(0, ...xs), Math.max(1, ...xs)]
  const top = niceCeiling(Math.max(limit ?? 0, ...drawn.flatMap(({ points }) => points.map(([, y]) => y))))
  const toX = (x: number) => round(LEFT + ((x - minX) / (maxX - minX)) * (WIDTH - LEFT - RIGHT))
  const toY = (y: number) => round(HEIGHT - BOTTOM - (y / top) * (HEIGHT - TOP - BOTTOM))
  const marks = [0, 0.25, 0.5, 0.75, 1]
  const parts = [
    ...measured.map(
      ([from, to]) =>
        `<rect class="measured" x="${toX(from)}" y="${TOP}" width="${round(toX(to) - toX(from))}" height="${HEIGHT - TOP - BOTTOM}"/>`,
    ),
    ...marks.map(share => {
      const y = toY(top * share)
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${format(top * share)}</text>`
    }),
    ...marks.map(share => {
      const x = minX + (maxX - minX) * share
      return `<text x="${toX(x)}" y="${HEIGHT - 8}" text-anchor="middle">${Math.round(x)} s</text>`
    }),
    ...(limit === undefined
      ? []
      : [`<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${toY(limit)}" y2="${toY(limit)}"/>`]),
    ...drawn.map(({ points }, i) => {
      const path = points.map(([x, y], nth) => `${nth === 0 ? 'M' : 'L'}${toX(x)} ${toY(y)}`).join('')
      return `<path d="${path}" stroke="${COLOURS[i % COLOURS.length]}"/>`
    }),
  ]
  const legend = drawn.map(
    ({ name }, i) =>
      `<span><i style="background:${COLOURS[i % COLOURS.length]}"></i>${escapeHtml(name)}</span>`,
  )
  return `<figure><figcaption>${escapeHtml(title)} <small>${escapeHtml(unit)}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${parts.join('')}</svg>
<div class="legend">${legend.join('')}</div></figure>`
}

/** Text that HTML shows as it is. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function niceCeiling(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 2.5, 5].find(step => step * power >= value) ?? 10)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function format(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  if (value >= 1e4) return `${value / 1e3} k`
  return String(Number(value.toPrecision(3)))
}
