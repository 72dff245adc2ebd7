import { useState } from 'preact/hooks'
import { formatDateTime } from '../i18n/format.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { uiMessages } from './messages.ts'
import { TextField } from './text-field.tsx'
import {
  fromLocalInput,
  PRESET_MS,
  resolveTimeRange,
  type TimePreset,
  type TimeRange,
  toLocalInput,
} from './time-range.ts'
import styles from './time-range-picker.module.css'

/** Chooses one of the presets, or two moments by the clock of an IANA zone. */
export function TimeRangePicker({
  value,
  onValue,
  timeZone,
  presets = Object.keys(PRESET_MS) as TimePreset[],
}: {
  value: TimeRange
  onValue: (range: TimeRange) => void
  timeZone: string
  presets?: readonly TimePreset[]
}) {
  const [isCustom, setCustom] = useState(false)
  const text =
    'preset' in value
      ? presetText(value.preset)
      : `${formatDateTime(value.from, timeZone)} – ${formatDateTime(value.to, timeZone)}`
  return (
    <>
      <Menu
        label={`${uiMessages.range}: ${text}`}
        align="end"
        triggerClass={styles.trigger}
        trigger={
          <>
            <Icon name="calendar" />
            <span>{text}</span>
            <Icon name="chevronDown" size={14} />
          </>
        }
        items={[
          ...presets.map(preset => ({
            key: preset,
            label: presetText(preset),
            isChecked: 'preset' in value && value.preset === preset,
            onPress: () => onValue({ preset }),
          })),
          {
            key: 'custom',
            label: uiMessages.customRange,
            isChecked: !('preset' in value),
            onPress: () => setCustom(true),
            startsGroup: true,
          },
        ]}
      />
      {isCustom && (
        <CustomRange value={value} onValue={onValue} timeZone={timeZone} onClose={() => setCustom(false)} />
      )}
    </>
  )
}

function CustomRange({
  value,
  onValue,
  timeZone,
  onClose,
}: {
  value: TimeRange
  onValue: (range: TimeRange) => void
  timeZone: string
  onClose: () => void
}) {
  const initial = resolveTimeRange(value, Date.now())
  const [from, setFrom] = useState(() => toLocalInput(initial.from, timeZone))
  const [to, setTo] = useState(() => toLocalInput(initial.to, timeZone))
  const [isWrong, setWrong] = useState(false)
  const apply = (event: Event) => {
    event.preventDefault()
    const start = fromLocalInput(from, timeZone)
    const end = fromLocalInput(to, timeZone)
    if (start === undefined || end === undefined || start >= end) {
      setWrong(true)
      return
    }
    onValue({ from: start.toISOString(), to: end.toISOString() })
    onClose()
  }
  return (
    <Dialog
      size="small"
      title={uiMessages.customRange}
      description={uiMessages.inZone(timeZone)}
      onClose={onClose}
    >
      <form class={styles.form} onSubmit={apply} noValidate>
        <TextField type="datetime-local" label={uiMessages.from} value={from} onValue={setFrom} />
        <TextField
          type="datetime-local"
          label={uiMessages.to}
          value={to}
          onValue={setTo}
          error={isWrong ? uiMessages.rangeWrong : undefined}
        />
        <Button type="submit" variant="primary">
          {uiMessages.apply}
        </Button>
      </form>
    </Dialog>
  )
}

function presetText(preset: TimePreset): string {
  return {
    '15m': uiMessages.last15m,
    '1h': uiMessages.last1h,
    '6h': uiMessages.last6h,
    '24h': uiMessages.last24h,
    '7d': uiMessages.last7d,
    '30d': uiMessages.last30d,
  }[preset]
}
