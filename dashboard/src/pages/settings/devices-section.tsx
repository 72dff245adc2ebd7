import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import { usePages } from '../../graphql/use-pages.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Menu } from '../../ui/menu.tsx'
import { OnlineMark } from '../../ui/online-mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { CredentialDialog } from './credential-dialog.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { ManyDevicesDialog } from './many-devices-dialog.tsx'
import { messages } from './messages.ts'
import { mayManage } from './roles.ts'
import { RotateDialog } from './rotate-dialog.tsx'
import styles from './section.module.css'
import {
  RemoveDeviceDocument,
  type SettingsDeviceFragment,
  SettingsDevicesDocument,
} from './settings.generated.ts'
import { useAction } from './use-action.ts'
import { useFloor } from './use-floor.ts'

type Device = SettingsDeviceFragment

type Open =
  | { kind: 'register' | 'many' }
  | { kind: 'edit' | 'rotate' | 'remove'; device: Device }
  | { kind: 'credential'; device: { id: string; code: string }; credential: string }

/** Devices of a space: registered, changed, given credentials, removed. */
export function DevicesSection() {
  const { id: spaceId, viewerRole } = useSpace()
  const [search, setSearch] = useUrlState('q', text => text, '')
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const floor = useFloor()
  const pages = usePages(SettingsDevicesDocument, { spaceId, search }, ({ space }) => space?.devices)
  const removal = useAction(RemoveDeviceDocument)
  const isManager = mayManage(viewerRole)
  const close = () => setOpen(undefined)

  return (
    <div class={styles.section}>
      <div class={styles.bar}>
        <SearchField label={messages.searchDevices} value={search} onValue={setSearch} />
        {isManager && (
          <>
            <Button variant="primary" icon="plus" onClick={() => setOpen({ kind: 'register' })}>
              {messages.register}
            </Button>
            <Button onClick={() => setOpen({ kind: 'many' })}>{messages.registerMany}</Button>
          </>
        )}
      </div>
      {!pages.isLoaded ? (
        pages.error === undefined ? (
          <Skeleton rows={8} height={40} />
        ) : (
          <ErrorState text={pages.error.text} onRetry={() => void pages.reload()} />
        )
      ) : pages.nodes.length === 0 ? (
        <EmptyState
          icon={search === '' ? 'device' : 'search'}
          title={search === '' ? messages.noDevices : messages.noDevicesFound}
          {...(search === '' && isManager && { text: messages.noDevicesText })}
        />
      ) : (
        <>
          <Panel
            title={messages.devices}
            {...(pages.totalCount !== undefined && { count: pages.totalCount })}
            isFlush
          >
            <DeviceTable
              devices={pages.nodes}
              spaceId={spaceId}
              isManager={isManager}
              onPress={(kind, device) => setOpen({ kind, device })}
            />
          </Panel>
          <LoadMore
            hasMore={pages.hasMore}
            isLoading={pages.isLoading}
            onLoad={() => void pages.loadMore()}
          />
        </>
      )}
      {(open?.kind === 'register' || open?.kind === 'edit') && (
        <DeviceDialog
          {...(open.kind === 'edit' && { device: open.device })}
          floor={floor}
          onClose={close}
          onSaved={made => {
            void pages.reload()
            setOpen(made === undefined ? undefined : { kind: 'credential', ...made })
          }}
          onConflict={() => void pages.reload()}
        />
      )}
      {open?.kind === 'many' && (
        <ManyDevicesDialog floor={floor} onClose={close} onRegistered={() => void pages.reload()} />
      )}
      {open?.kind === 'credential' && (
        <CredentialDialog device={open.device} credential={open.credential} onClose={close} />
      )}
      {open?.kind === 'rotate' && (
        <RotateDialog
          device={open.device}
          onClose={close}
          onRotated={credential => setOpen({ kind: 'credential', device: open.device, credential })}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={messages.removeDevice}
          text={messages.removeDeviceText(open.device.code)}
          confirmLabel={messages.removeDevice}
          isDangerous
          onClose={close}
          onConfirm={async () => {
            if (await removal.run({ input: { deviceId: open.device.id } })) close()
            void pages.reload()
          }}
        />
      )}
    </div>
  )
}

function DeviceTable({
  devices,
  spaceId,
  isManager,
  onPress,
}: {
  devices: readonly Device[]
  spaceId: string
  isManager: boolean
  onPress: (kind: 'edit' | 'rotate' | 'remove', device: Device) => void
}) {
  const actionsOf = (device: Device) => (
    <Menu
      label={messages.actions(device.code)}
      trigger={<Icon name="more" />}
      align="end"
      items={[
        { key: 'edit', label: messages.edit, icon: 'edit', onPress: () => onPress('edit', device) },
        {
          key: 'rotate',
          label: messages.newCredential,
          icon: 'lock',
          onPress: () => onPress('rotate', device),
        },
        {
          ...{
            key: 'remove',
            label: messages.removeDevice,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
          },
          onPress: () => onPress('remove', device),
        },
      ]}
    />
  )
  return (
    <Table
      caption={messages.devices}
      rows={devices}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'code',
          label: messages.code,
          isRowHeader: true,
          render: ({ id, code }) => <a href={`/spaces/${spaceId}/devices/${id}`}>{code}</a>,
        },
        { key: 'name', label: messages.name, render: ({ name }) => name },
        { key: 'model', label: messages.model, render: ({ model }) => model ?? messages.none },
        { key: 'line', label: messages.line, render: ({ line }) => line?.name ?? messages.none },
        { key: 'process', label: messages.process, render: ({ process }) => process?.name ?? messages.none },
        {
          key: 'online',
          label: messages.online,
          render: ({ online, lastSeenAt }) =>
            online || lastSeenAt === null ? (
              <OnlineMark isOnline={online} />
            ) : (
              <RelativeTime at={lastSeenAt} />
            ),
        },
        ...(isManager ? [{ key: 'actions', label: '', align: 'end' as const, render: actionsOf }] : []),
      ]}
    />
  )
}
