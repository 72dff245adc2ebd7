import { useState } from 'preact/hooks'
import { reloadSpaces } from '../../app/product-session.ts'
import { navigate } from '../../app/router.ts'
import { useSpace } from '../../app/space-context.ts'
import type { Role } from '../../graphql/schema-types.generated.ts'
import { viewer } from '../../graphql/session.ts'
import { usePages } from '../../graphql/use-pages.ts'
import { formatDate } from '../../i18n/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { messages } from './messages.ts'
import { mayManage, rolesToGive, roleText } from './roles.ts'
import styles from './section.module.css'
import {
  RemoveMemberDocument,
  SettingsMembersDocument,
  type SettingsMembersQuery,
  TransferOwnershipDocument,
  UpdateMemberRoleDocument,
} from './settings.generated.ts'
import { useAction } from './use-action.ts'

type Member = NonNullable<SettingsMembersQuery['space']>['members']['nodes'][number]

type Asking = { kind: 'remove' | 'leave' | 'owner'; member: Member }

/** Who is in the space, as what, and who is invited. */
export function MembersSection() {
  const { id: spaceId, viewerRole } = useSpace()
  const pages = usePages(SettingsMembersDocument, { spaceId }, ({ space }) => space?.members)
  const [asking, setAsking] = useState<Asking | undefined>(undefined)
  if (!pages.isLoaded)
    return pages.error === undefined ? (
      <Skeleton rows={6} height={40} />
    ) : (
      <ErrorState text={pages.error.text} onRetry={() => void pages.reload()} />
    )
  return (
    <div class={styles.section}>
      <Panel title={messages.members} isFlush>
        <MemberTable
          members={pages.nodes}
          onAsk={(kind, member) => setAsking({ kind, member })}
          onChanged={() => void pages.reload()}
        />
      </Panel>
      <LoadMore hasMore={pages.hasMore} isLoading={pages.isLoading} onLoad={() => void pages.loadMore()} />
      {mayManage(viewerRole) && <InvitationsPanel />}
      {asking !== undefined && (
        <MemberQuestion
          asking={asking}
          onClose={() => setAsking(undefined)}
          onChanged={() => void pages.reload()}
        />
      )}
    </div>
  )
}

function MemberTable({
  members,
  onAsk,
  onChanged,
}: {
  members: readonly Member[]
  onAsk: (kind: Asking['kind'], member: Member) => void
  onChanged: () => void
}) {
  const { id: spaceId, viewerRole, timezone } = useSpace()
  const { run } = useAction(UpdateMemberRoleDocument)
  const given = rolesToGive(viewerRole)
  const me = viewer.value?.id
  const isMine = (member: Member) => member.user.id === me
  /** Admins change operators and viewers, owners everybody but owners. */
  const mayChange = (member: Member) =>
    !isMine(member) && given.includes(member.role) && member.role !== 'OWNER'
  const change = async ({ user, role: expectedRole }: Member, role: Role) => {
    await run({ input: { spaceId, userId: user.id, role, expectedRole } }, messages.saved)
    onChanged()
  }
  const itemsOf = (member: Member) => [
    ...(viewerRole === 'OWNER' && !isMine(member) && member.role !== 'OWNER'
      ? [
          {
            ...{ key: 'owner', label: messages.makeOwner, icon: 'user' as const },
            onPress: () => onAsk('owner', member),
          },
        ]
      : []),
    ...(mayChange(member)
      ? [
          {
            ...{ key: 'remove', label: messages.removeMember, icon: 'trash' as const, isDangerous: true },
            onPress: () => onAsk('remove', member),
          },
        ]
      : []),
    ...(isMine(member) && member.role !== 'OWNER'
      ? [
          {
            ...{ key: 'leave', label: messages.leave, icon: 'signOut' as const, isDangerous: true },
            onPress: () => onAsk('leave', member),
          },
        ]
      : []),
  ]
  return (
    <Table
      caption={messages.members}
      rows={members}
      rowKey={({ user }) => user.id}
      columns={[
        {
          key: 'name',
          label: messages.name,
          isRowHeader: true,
          render: member => (isMine(member) ? `${member.user.name} (${messages.you})` : member.user.name),
        },
        { key: 'email', label: messages.email, render: ({ user }) => user.email },
        {
          key: 'role',
          label: messages.role,
          render: member =>
            mayChange(member) ? (
              <Select<Role>
                label={messages.roleOf(member.user.name)}
                isLabelHidden
                value={member.role}
                options={given.map(role => ({ value: role, label: roleText(role) }))}
                onValue={role => void change(member, role)}
              />
            ) : (
              roleText(member.role)
            ),
        },
        { key: 'joined', label: messages.joined, render: ({ joinedAt }) => formatDate(joinedAt, timezone) },
        {
          key: 'actions',
          label: '',
          align: 'end',
          render: member => {
            const items = itemsOf(member)
            return (
              items.length > 0 && (
                <Menu
                  label={messages.actions(member.user.name)}
                  trigger={<Icon name="more" />}
                  align="end"
                  items={items}
                />
              )
            )
          },
        },
      ]}
    />
  )
}

function MemberQuestion({
  asking: { kind, member },
  onClose,
  onChanged,
}: {
  asking: Asking
  onClose: () => void
  onChanged: () => void
}) {
  const { id: spaceId } = useSpace()
  const removal = useAction(RemoveMemberDocument)
  const transfer = useAction(TransferOwnershipDocument)
  const { id: userId, name } = member.user
  const input = { spaceId, userId }
  const questions = {
    remove: {
      title: messages.removeMember,
      text: messages.removeMemberText(name),
      verb: messages.removeMember,
    },
    leave: { title: messages.leave, text: messages.leaveText, verb: messages.leave },
    owner: { title: messages.makeOwner, text: messages.makeOwnerText(name), verb: messages.handOver },
  }
  const { title, text, verb } = questions[kind]
  const confirm = async () => {
    const isDone = await (kind === 'owner' ? transfer.run({ input }, messages.saved) : removal.run({ input }))
    onClose()
    if (isDone && kind === 'leave') navigate('/')
    if (isDone && kind !== 'remove') await reloadSpaces()
    if (kind !== 'leave') onChanged()
  }
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={verb}
      isDangerous={kind !== 'owner'}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
