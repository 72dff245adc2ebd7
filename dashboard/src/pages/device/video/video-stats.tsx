import { formatNumber, formatPercent } from '../../../i18n/format.ts'
import { messages } from './messages.ts'
import type { BroadcastStateFragment } from './video.generated.ts'
import styles from './video-panel.module.css'
import type { Viewer } from './viewer.ts'

/** How the picture comes, each second. */
export function VideoStats({ viewer, broadcast }: { viewer: Viewer; broadcast: BroadcastStateFragment }) {
  const stats = viewer.stats.value
  const whole = (value: number | undefined) => (value === undefined ? '–' : formatNumber(Math.round(value)))
  const rows: readonly (readonly [string, string])[] = [
    [messages.resolution, stats === undefined ? '–' : `${stats.width} × ${stats.height}`],
    [messages.frames, whole(stats?.framesPerSecond)],
    [messages.bitrate, `${whole(stats?.kilobitsPerSecond)} kbit/s`],
    [messages.loss, stats === undefined ? '–' : formatPercent(stats.lossRatio)],
    [messages.jitter, `${whole(stats?.jitterMs)} ms`],
    [messages.latency, `${whole(stats?.latencyMs ?? undefined)} ms`],
    [messages.codec, stats?.codec ?? broadcast.videoCodec ?? '–'],
    [messages.protocol, stats?.protocol?.toUpperCase() ?? '–'],
    [messages.score, broadcast.stats === null ? '–' : messages.scoreOf(formatNumber(broadcast.stats.score))],
  ]
  return (
    <dl class={styles.stats}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
