import { useSpace } from '../../app/space-context.ts'
import type { ReportInterval } from '../../graphql/schema-types.generated.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeRangePicker } from '../../ui/time-range-picker.tsx'
import { groupTitle } from './group-name.ts'
import { messages } from './messages.ts'
import styles from './report-controls.module.css'
import { GROUPS_OF, type ReportRequest } from './report-request.ts'

/** What the report is asked for: its range, its buckets, and what it tells apart. */
export function ReportControls({ request }: { request: ReportRequest }) {
  const { timezone: siteZone } = useSpace()
  const { kind, range, interval, timezone, groups } = request
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set([siteZone, ownZone, 'UTC', timezone])]
  const intervals: Record<ReportInterval, string> = {
    HOUR: messages.hour,
    DAY: messages.day,
    WEEK: messages.week,
    MONTH: messages.month,
  }
  const isByTime = kind === 'anomalies' || kind === 'logs'
  return (
    <div class={styles.controls}>
      <TimeRangePicker
        value={range}
        onValue={request.setRange}
        timeZone={timezone}
        presets={['24h', '7d', '30d']}
      />
      {isByTime && (
        <Select<ReportInterval>
          label={messages.interval}
          value={interval}
          options={Object.entries(intervals).map(([value, label]) => ({
            value: value as ReportInterval,
            label,
          }))}
          onValue={request.setInterval}
        />
      )}
      <Select
        label={messages.timezone}
        value={timezone}
        options={zones.map(zone => ({
          value: zone,
          label: zone === siteZone ? messages.siteZone(zone) : zone,
        }))}
        onValue={request.setTimezone}
      />
      <fieldset class={styles.groups}>
        <legend>{messages.groupBy}</legend>
        {GROUPS_OF[kind].map(group => (
          <Checkbox
            key={group}
            label={groupTitle(group)}
            isChecked={groups.includes(group)}
            onValue={isOn =>
              request.setGroups(isOn ? [...groups, group] : groups.filter(other => other !== group))
            }
          />
        ))}
      </fieldset>
    </div>
  )
}
