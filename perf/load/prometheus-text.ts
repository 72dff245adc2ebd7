/** One value of a metric. */
export interface MetricValue {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Parses what a Prometheus endpoint answers; lines that are none are left out. */
export function parsePrometheusText(text: string): MetricValue[] {
  return text.split('\n').flatMap(line => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line)
    const value = Number(match?.[3] === '+Inf' ? Infinity : match?.[3])
    if (match?.[1] === undefined || Number.isNaN(value)) return []
    const labels = Object.fromEntries(
      [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', text = '']) => [
        name,
        text,
      ]),
    )
    return [{ name: match[1], labels, value }]
  })
}
