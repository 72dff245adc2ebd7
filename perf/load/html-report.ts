import type { Result } from '../runner/result.ts'
import { limitsOf } from './judge-load.ts'
import { plotRun } from './load-plots.ts'
import type { Latency, LoadSummary } from './load-summary.ts'
import type { SuiteRun } from './run-suite.ts'
import { drawPlot, escapeHtml } from './svg-plot.ts'

/** A page without anything from elsewhere: styles and plots are in it. */
export function formatHtml(result: Result, runs: readonly SuiteRun[]): string {
  const verdict = !result.valid
    ? 'not valid'
    : result.checks.every(({ ok }) => ok)
      ? 'as asked'
      : 'not as asked'
  const details = result.details as {
    product?: string
    generators?: string
    machine?: Record<string, unknown>
    isQuick?: boolean
    /** What a stress found, or a comparison. */
    verdict?: string | null
    conclusion?: string
  }
  const facts: [string, string][] = [
    [
      'Commit',
      `${result.commit.slice(0, 12)}${result.details.hasUncommittedChanges === true ? ', with changes that are not committed' : ''}`,
    ],
    ['Started', result.startedAt],
    ['Product', details.product ?? ''],
    ['Generators', details.generators ?? ''],
    [
      'Machine',
      Object.entries(details.machine ?? {})
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
  ]
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(result.suite)}: ${verdict}</title><style>${STYLE}</style>
<h1>${escapeHtml(result.suite)} <b class="${verdict === 'as asked' ? 'ok' : 'bad'}">${verdict}</b></h1>
${details.isQuick === true ? '<p>A quick run: it shows that everything works, and claims nothing.</p>' : ''}
${[details.verdict, details.conclusion].map(text => (text ? `<p><b>${escapeHtml(text)}</b></p>` : '')).join('')}
${result.reasons.map(reason => `<p class="bad">Not valid: ${escapeHtml(reason)}</p>`).join('\n')}
${table(
  ['check', 'value', 'limit', 'unit', ''],
  result.checks.map(check => [
    check.name,
    String(check.value),
    check.limit === null ? '–' : `${check.better === 'lower' ? '≤' : '≥'} ${check.limit}`,
    check.unit,
    check.ok ? 'ok' : 'FAILED',
  ]),
)}
${runs.map(formatRun).join('\n')}
<h2>Where</h2>${table(['', ''], facts)}
</html>\n`
}

function formatRun(run: SuiteRun): string {
  const { summary, result, suite, scale } = run
  const limits = limitsOf(suite, scale)
  const { workload } = result
  const about = [
    `${workload.devices} devices, ${workload.viewers} viewers, ${workload.observers} observers, ${workload.queryRate} queries a second`,
    result.noSignaling === null ? null : `no signaling: ${result.noSignaling}`,
  ]
  return `<h2>${escapeHtml(suite)} at scale ${scale}</h2><p>${about
    .filter(Boolean)
    .map(text => escapeHtml(text ?? ''))
    .join('; ')}. The shaded time is measured.</p>
<div class="plots">${plotRun(run, limits).map(drawPlot).join('\n')}</div>
<h3>Latencies, ms</h3>${table(['', 'count', 'p50', 'p95', 'p99', 'max'], latencyRows(summary))}
<h3>Accounts</h3>${table(['', ''], accountRows(run))}
<h3>Processes, in the measured time</h3>${table(
    ['', 'CPU, m', 'largest RSS, MiB'],
    summary.processes.map(({ name, millicores, maxRssMiB }) => [
      name,
      millicores.toFixed(0),
      maxRssMiB.toFixed(0),
    ]),
  )}
<h3>What binds?</h3>${bindingRows(run)
    .map(text => `<p>${escapeHtml(text)}</p>`)
    .join('')}
<h3>Largest values</h3>${table(
    ['', ''],
    Object.entries(summary.peaks).map(([name, value]) => [name, format(value)]),
  )}
<h3>Stores, growth a second</h3>${Object.entries(summary.storeRates)
    .map(
      ([store, rates]) =>
        `<details><summary>${store}</summary>${table(
          ['', ''],
          Object.entries(rates).map(([name, value]) => [name, format(value)]),
        )}</details>`,
    )
    .join('')}
${failuresOf(run)}`
}

function latencyRows(summary: LoadSummary): string[][] {
  const rows: [string, Latency][] = [
    ['queries', summary.queries],
    ...Object.entries(summary.queriesByKind).map(([kind, latency]): [string, Latency] => [
      `  ${kind}`,
      latency,
    ]),
    ['receipts', summary.receipts],
    ['events at subscribers', summary.events],
    ['calls of signaling', summary.signaling],
  ]
  return rows
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, p50, p95, p99, max }]) => [
      name,
      String(count),
      ...[p50, p95, p99, max].map(format),
    ])
}

function accountRows({ summary, result }: SuiteRun): string[][] {
  const { deliveries } = result
  return [
    ['attempts', String(summary.attempts)],
    ['failures', String(summary.failures)],
    ...(deliveries === null
      ? []
      : Object.entries(deliveries).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') || '–' : String(value),
        ])),
  ]
}

/** Of the one core that the product shares with its stores. */
const MUCH_CPU = 800

/** CPU low while something waits is contention or repeated I/O; CPU at its end is work. */
function bindingRows({ summary, result }: SuiteRun): string[] {
  if (summary.processes.length === 0) return ['The processes of the product were not measured.']
  const all = summary.processes.reduce((sum, { millicores }) => sum + millicores, 0)
  const busiest = summary.processes.toSorted((a, b) => b.millicores - a.millicores)[0]
  const waiting = Object.entries(summary.poolWaits).filter(([, waits]) => waits > 0)
  const lag = summary.peaks.ingestLagSeconds ?? 0
  return [
    `All processes together used ${all.toFixed(0)} m, the busiest one (${busiest?.name}) ${busiest?.millicores.toFixed(0)} m.`,
    waiting.length > 0
      ? `Callers waited for a connection to the database: ${waiting.map(([name, waits]) => `${waits} in ${name}`).join(', ')}.${all < MUCH_CPU ? ' With CPU to spare, that is contention or repeated I/O.' : ''}`
      : Object.keys(summary.poolWaits).length > 0
        ? 'Nobody waited for a connection to the database.'
        : 'Pools were not measured.',
    `The table was at most ${(lag * 1_000).toFixed(0)} ms behind the door. Others used ${result.machineUse === null ? 'an unknown share' : `${(result.machineUse.othersShare * 100).toFixed(0)} %`} of the machine.`,
  ]
}

function failuresOf({ result }: SuiteRun): string {
  const texts = [...(result.queries?.failures ?? []), ...(result.field?.failures ?? [])]
  return texts.length === 0 ? '' : `<h3>Failures</h3><pre>${escapeHtml(texts.slice(0, 30).join('\n'))}</pre>`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    row.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')
  const top = head.some(cell => cell !== '') ? `<tr>${cells(head, 'th')}</tr>` : ''
  const body = rows
    .map(row => `<tr${row.at(-1) === 'FAILED' ? ' class="bad"' : ''}>${cells(row, 'td')}</tr>`)
    .join('\n')
  return `<table>${top}${body}</table>`
}

function format(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

const STYLE = `:root{color-scheme:light dark;--grid:#8884;--soft:#2563eb14}
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1200px;padding:0 1rem}
h1 b{font-size:.6em;padding:.2em .6em;border-radius:.4em;vertical-align:middle}.ok{color:#059669}.bad{color:#dc2626}
table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.15rem .8rem .15rem 0;text-align:right}td:first-child,th:first-child{text-align:left;white-space:pre}
tr+tr{border-top:1px solid var(--grid)}.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(340px,1fr));gap:1rem}
figure{margin:0;min-width:0}figcaption{font-weight:600}svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor;opacity:.7}
.grid{stroke:var(--grid)}.limit{stroke:#dc2626;stroke-dasharray:4 4}.measured{fill:var(--soft)}path{fill:none;stroke-width:1.6;stroke-linejoin:round}
.legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:12px}.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.35em}pre{overflow:auto}`
