import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { formatCompact, formatDateTime, formatNumber } from '../i18n/format.ts'
import { language } from '../i18n/language.ts'
import { uiMessages } from './messages.ts'
import styles from './plot.module.css'
import { theme } from './theme.ts'

export type PlotSeries = {
  label: string
  /** One value for each moment of `times`; null where there is none: the line breaks. */
  values: readonly (number | null)[]
  /** A token without its dashes, as "status-running"; by default the plot's own colours in turn. */
  color?: string
}

type Props = {
  /** Names the plot. */
  label: string
  /** Moments in ms since 1970, ascending. */
  times: readonly number[]
  series: readonly PlotSeries[]
  kind?: 'line' | 'area' | 'stacked-bars'
  timeZone?: string
  /** Height in px. */
  height?: number
  formatValue?: (value: number) => string
  /** Called with two moments (ms) that were marked by dragging. */
  onZoom?: (from: number, to: number) => void
}

/** Values over time. uPlot is loaded when the first plot is shown; the same figures stand in a table below it. */
export function Plot(props: Props) {
  const { label, times, series, timeZone, height = 220, formatValue = formatNumber } = props
  const host = useRef<HTMLDivElement>(null)
  const seenTheme = theme.value
  const seenLanguage = language.value

  useEffect(() => {
    const element = host.current
    if (element === null || times.length === 0) return
    let plot: uPlot | undefined
    let isGone = false
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }))
    const draw = async () => {
      const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
      if (isGone) return
      plot = new UPlot(...plotArguments(UPlot, props, element, height))
      element.append(plot.root)
      observer.observe(element)
    }
    void draw()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      plot?.destroy()
      void draw()
    }
    scheme.addEventListener('change', redraw)
    return () => {
      isGone = true
      observer.disconnect()
      scheme.removeEventListener('change', redraw)
      plot?.destroy()
    }
  }, [times, series, props.kind, timeZone, height, seenTheme, seenLanguage])

  return (
    <figure class={styles.plot} aria-label={label}>
      {times.length === 0 ? (
        <p class={styles.empty} style={{ height: `${height}px` }}>
          {uiMessages.noData}
        </p>
      ) : (
        <>
          <div ref={host} class={styles.host} style={{ minHeight: `${height}px` }} aria-hidden="true" />
          <ul class={styles.legend}>
            {series.map((one, index) => (
              <li key={one.label}>
                <svg width="10" height="10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" style={{ fill: `var(--${colorOf(one, index)})` }} />
                </svg>
                {one.label}
              </li>
            ))}
          </ul>
          <details class={styles.details}>
            <summary>{uiMessages.showAsTable}</summary>
            <PlotTable
              label={label}
              times={times}
              series={series}
              timeZone={timeZone}
              formatValue={formatValue}
            />
          </details>
        </>
      )}
    </figure>
  )
}

/** How many moments the table shows, the newest: more are for CSV. */
const MAX_TABLE_ROWS = 200

function PlotTable({
  label,
  times,
  series,
  timeZone,
  formatValue,
}: Pick<Props, 'label' | 'times' | 'series' | 'timeZone'> & { formatValue: (value: number) => string }) {
  const first = Math.max(0, times.length - MAX_TABLE_ROWS)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class={styles.table} tabIndex={0} aria-label={label}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{uiMessages.time}</th>
            {series.map(one => (
              <th key={one.label} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.slice(first).map((time, row) => (
            <tr key={time}>
              <th scope="row">{formatDateTime(time, timeZone)}</th>
              {series.map(one => {
                const value = one.values[first + row]
                return (
                  <td key={one.label}>{value === null || value === undefined ? '–' : formatValue(value)}</td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What is shown before and after a moment that is the only one, in seconds. */
const LONE_MARGIN_S = 900

function plotArguments(
  UPlot: typeof uPlot,
  { times, series, kind = 'line', timeZone, formatValue = formatCompact, onZoom }: Props,
  element: HTMLElement,
  height: number,
): [uPlot.Options, uPlot.AlignedData] {
  const color = readColors(element)
  const grid = { stroke: color('border'), width: 1 }
  const axis = {
    stroke: color('text-muted'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid,
    ticks: grid,
  }
  const isStacked = kind === 'stacked-bars'
  const drawn = isStacked ? stack(series) : series.map(one => [...one.values])
  const order = isStacked
    ? series.map((_, index) => series.length - 1 - index)
    : series.map((_, index) => index)
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { drag: { x: onZoom !== undefined, y: false, setScale: false }, points: { show: !isStacked } },
    tzDate: seconds => zonedDate(UPlot, seconds, timeZone),
    scales: {
      x: {
        range: (_, min, max) => {
          if (min === max) return [min - LONE_MARGIN_S, max + LONE_MARGIN_S]
          const margin = isStacked ? (max - min) / Math.max(1, times.length - 1) / 2 : 0
          return [min - margin, max + margin]
        },
      },
      y: {
        range: (_, min, max) => [Math.min(0, min ?? 0), max === null || max <= 0 ? 1 : max * 1.08],
      },
    },
    axes: [
      { ...axis, values: axisTimes(UPlot, timeZone) },
      { ...axis, size: 56, values: (_, splits) => splits.map(split => formatValue(split)) },
    ],
    series: [
      {},
      ...order.map(index => {
        const one = series[index] as PlotSeries
        const stroke = color(colorOf(one, index))
        return {
          label: one.label,
          stroke,
          width: isStacked ? 0 : 1.5,
          points: { show: times.length === 1 },
          ...(kind === 'area' ? { fill: `color-mix(in srgb, ${stroke} 16%, transparent)` } : {}),
          ...(isStacked ? { fill: stroke, paths: UPlot.paths.bars?.({ size: [0.8, 48] }) } : {}),
        } as uPlot.Series
      }),
    ],
    hooks: {
      setSelect: [
        plot => {
          if (onZoom === undefined || plot.select.width < 4) return
          const at = (px: number) => Math.round(plot.posToVal(px, 'x') * 1000)
          onZoom(at(plot.select.left), at(plot.select.left + plot.select.width))
        },
      ],
    },
  }
  const seconds = times.map(time => time / 1000)
  return [options, [seconds, ...order.map(index => drawn[index] as (number | null)[])]]
}

/** Times of the axis in 24 hours, with the date where the day changes. */
function axisTimes(UPlot: typeof uPlot, timeZone: string | undefined): uPlot.Axis.Values {
  const clock = UPlot.fmtDate('{HH}:{mm}')
  const clockToSecond = UPlot.fmtDate('{HH}:{mm}:{ss}')
  const day = UPlot.fmtDate('{M}/{D}')
  return (_, splits, __, ___, step) => {
    let lastDay = ''
    return splits.map(split => {
      const date = zonedDate(UPlot, split, timeZone)
      const today = day(date)
      const isNewDay = today !== lastDay
      lastDay = today
      if (step >= 86_400) return today
      const time = step < 60 ? clockToSecond(date) : clock(date)
      return isNewDay ? `${time}\n${today}` : time
    })
  }
}

function zonedDate(UPlot: typeof uPlot, seconds: number, timeZone: string | undefined): Date {
  const date = new Date(seconds * 1000)
  return timeZone === undefined ? date : UPlot.tzDate(date, timeZone)
}

/** Sums from the first series up, so that each bar ends where the next begins. */
function stack(series: readonly PlotSeries[]): number[][] {
  const sums: number[][] = []
  for (const { values } of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
  }
  return sums
}

function colorOf(series: PlotSeries, index: number): string {
  return series.color ?? `plot-${(index % 6) + 1}`
}

/** Reads what a token comes to in the theme of the page. */
function readColors(element: HTMLElement): (token: string) => string {
  return token => {
    const probe = document.createElement('i')
    probe.style.color = `var(--${token})`
    element.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
