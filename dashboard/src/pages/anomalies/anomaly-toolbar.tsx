import { useEffect, useId, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { severityText } from '../../ui/severity-badge.tsx'
import { TimeRangePicker } from '../../ui/time-range-picker.tsx'
import { AnomalyDeviceDocument, AnomalyDevicesDocument, AnomalyFloorDocument } from './anomalies.generated.ts'
import { type AnomalyQueryState, ORDERS, SEVERITIES, STATUSES } from './anomaly-query.ts'
import styles from './anomaly-toolbar.module.css'
import { messages } from './messages.ts'

/** What narrows the list down; all of it is in the address. `types` are offered to choose from. */
export function AnomalyToolbar({ state, types }: { state: AnomalyQueryState; types: readonly string[] }) {
  const { id: spaceId, timezone } = useSpace()
  const { query } = state
  const { data } = useQuery(AnomalyFloorDocument, { spaceId })
  const [isOpen, setOpen] = useState(false)
  const { lines = [], processes = [] } = data?.space ?? {}
  const any = { value: '', label: messages.any }
  const ofLine = processes.filter(({ line }) => query.lineId === '' || line?.id === query.lineId)
  return (
    <div class={styles.toolbar} data-open={isOpen}>
      <div class={styles.main}>
        <Chips
          label={messages.status}
          options={STATUSES.map(value => ({ value, label: messages[value] }))}
          chosen={query.statuses}
          onChosen={chosen => chosen.length > 0 && state.setStatuses(chosen)}
        />
        <Chips
          label={messages.severity}
          options={SEVERITIES.map(value => ({ value, label: severityText(value) }))}
          chosen={query.severities}
          onChosen={state.setSeverities}
        />
        <span class={styles.toggle}>
          <Button size="small" icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {messages.filters}
          </Button>
        </span>
      </div>
      <div class={styles.fields}>
        <div class={styles.search}>
          <SearchField label={messages.search} value={query.text} onValue={state.setText} />
        </div>
        <Select
          label={messages.line}
          value={query.lineId}
          options={[any, ...lines.map(({ id, name }) => ({ value: id, label: name }))]}
          onValue={state.setLineId}
        />
        <Select
          label={messages.process}
          value={query.processId}
          options={[any, ...ofLine.map(({ id, name }) => ({ value: id, label: name }))]}
          onValue={state.setProcessId}
        />
        <DeviceField deviceId={query.deviceId} onDeviceId={state.setDeviceId} />
        <TypeField type={query.type} types={types} onType={state.setType} />
        <Select
          label={messages.order}
          value={query.order}
          options={ORDERS.map(value => ({ value, label: messages[value] }))}
          onValue={state.setOrder}
        />
        <div class={styles.range}>
          {query.range === undefined ? (
            <Button icon="calendar" onClick={() => state.setRange({ preset: '24h' })}>
              {messages.anyTime}
            </Button>
          ) : (
            <>
              <TimeRangePicker value={query.range} onValue={state.setRange} timeZone={timezone} />
              <IconButton
                icon="close"
                label={messages.clearRange}
                onClick={() => state.setRange(undefined)}
              />
            </>
          )}
        </div>
      </div>
      {query.text !== '' && <p class={styles.hint}>{messages.searchRange}</p>}
    </div>
  )
}

function Chips<V extends string>({
  label,
  options,
  chosen,
  onChosen,
}: {
  label: string
  options: readonly { value: V; label: string }[]
  chosen: readonly V[]
  onChosen: (chosen: readonly V[]) => void
}) {
  return (
    <fieldset class={styles.chips}>
      <legend class="visually-hidden">{label}</legend>
      {options.map(option => {
        const isChosen = chosen.includes(option.value)
        const toggle = () =>
          onChosen(
            options
              .map(({ value }) => value)
              .filter(value => (value === option.value ? !isChosen : chosen.includes(value))),
          )
        return (
          <button
            key={option.value}
            type="button"
            class={styles.chip}
            aria-pressed={isChosen}
            onClick={toggle}
          >
            {option.label}
          </button>
        )
      })}
    </fieldset>
  )
}

function DeviceField({ deviceId, onDeviceId }: { deviceId: string; onDeviceId: (id: string) => void }) {
  const { id: spaceId } = useSpace()
  const [text, setText] = useState('')
  const chosen = useQuery(AnomalyDeviceDocument, deviceId === '' ? null : { id: deviceId })
  const code = deviceId === '' ? undefined : chosen.data?.device?.code
  useEffect(() => setText(code ?? ''), [code])
  const search = text.trim()
  const isAsked = search !== '' && search !== code
  const found = useQuery(AnomalyDevicesDocument, isAsked ? { spaceId, search } : null)
  const devices = isAsked ? (found.data?.space?.devices.nodes ?? []) : []
  const choose = (value: string) => {
    setText(value)
    if (value.trim() === '') onDeviceId('')
    const match = devices.find(device => device.code === value)
    if (match !== undefined) onDeviceId(match.id)
  }
  return (
    <ListField
      label={messages.device}
      placeholder={messages.devicePlaceholder}
      value={text}
      options={devices.map(({ code: value, name }) => ({ value, label: name }))}
      onInput={choose}
      onDone={() => {
        const exact = devices.find(device => device.code.toLowerCase() === search.toLowerCase())
        const only = exact ?? (devices.length === 1 ? devices[0] : undefined)
        if (only !== undefined) onDeviceId(only.id)
      }}
    />
  )
}

function TypeField({
  type,
  types,
  onType,
}: {
  type: string
  types: readonly string[]
  onType: (type: string) => void
}) {
  const [text, setText] = useState(type)
  useEffect(() => setText(type), [type])
  return (
    <ListField
      label={messages.type}
      placeholder={messages.typePlaceholder}
      value={text}
      options={types.map(value => ({ value, label: '' }))}
      onInput={value => {
        setText(value)
        if (value === '' || types.includes(value)) onType(value)
      }}
      onDone={() => onType(text.trim())}
    />
  )
}

function ListField({
  label,
  placeholder,
  value,
  options,
  onInput,
  onDone,
}: {
  label: string
  placeholder: string
  value: string
  options: readonly { value: string; label: string }[]
  onInput: (value: string) => void
  onDone: () => void
}) {
  const id = useId()
  return (
    <label class={styles.field}>
      <span>{label}</span>
      <input
        type="text"
        class={styles.input}
        list={id}
        value={value}
        placeholder={placeholder}
        onInput={event => onInput(event.currentTarget.value)}
        onChange={onDone}
      />
      <datalist id={id}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </datalist>
    </label>
  )
}
