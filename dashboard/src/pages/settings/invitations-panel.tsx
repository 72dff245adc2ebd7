import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import type { Role } from '../../graphql/schema-types.generated.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { usePages } from '../../graphql/use-pages.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { errorOf, FormErrors } from '../../ui/form-errors.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { rolesToGive, roleText } from './roles.ts'
import styles from './section.module.css'
import {
  InviteMemberDocument,
  RevokeInvitationDocument,
  SettingsInvitationsDocument,
} from './settings.generated.ts'
import { useAction } from './use-action.ts'

/** Who has been invited and has not come yet. */
export function InvitationsPanel() {
  const { id: spaceId, timezone } = useSpace()
  const [isInviting, setInviting] = useState(false)
  const pages = usePages(SettingsInvitationsDocument, { spaceId }, ({ space }) => space?.invitations)
  const { run } = useAction(RevokeInvitationDocument)
  const revoke = async (invitationId: string) => {
    await run({ input: { invitationId } }, messages.saved)
    await pages.reload()
  }
  return (
    <Panel
      title={messages.invitations}
      isFlush={pages.nodes.length > 0}
      actions={
        <Button variant="primary" icon="plus" onClick={() => setInviting(true)}>
          {messages.invite}
        </Button>
      }
    >
      {pages.error !== undefined ? (
        <ErrorState text={pages.error.text} onRetry={() => void pages.reload()} />
      ) : pages.nodes.length === 0 ? (
        <p class={styles.note}>{messages.noInvitations}</p>
      ) : (
        <Table
          caption={messages.invitations}
          rows={pages.nodes}
          rowKey={({ id }) => id}
          columns={[
            { key: 'email', label: messages.email, isRowHeader: true, render: ({ email }) => email },
            { key: 'role', label: messages.role, render: ({ role }) => roleText(role) },
            {
              key: 'by',
              label: messages.invitedBy,
              render: ({ invitedBy }) => invitedBy?.name ?? messages.none,
            },
            {
              key: 'expires',
              label: messages.expires,
              render: ({ expiresAt }) => formatDateTime(expiresAt, timezone),
            },
            {
              key: 'actions',
              label: '',
              align: 'end',
              render: ({ id }) => (
                <Button size="small" onClick={() => void revoke(id)}>
                  {messages.revoke}
                </Button>
              ),
            },
          ]}
        />
      )}
      {pages.hasMore && (
        <LoadMore hasMore={pages.hasMore} isLoading={pages.isLoading} onLoad={() => void pages.loadMore()} />
      )}
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={() => {
            setInviting(false)
            void pages.reload()
          }}
        />
      )}
    </Panel>
  )
}

function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const { id: spaceId, viewerRole } = useSpace()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('OPERATOR')
  const { run, isRunning, error, userErrors } = useMutation(InviteMemberDocument)
  const invite = async () => {
    if ((await run({ input: { spaceId, email, role } })) === null) return
    showToast('success', messages.sent(email))
    onInvited()
  }
  const wrong = errorOf(userErrors, 'email')
  return (
    <Dialog
      title={messages.inviteTitle}
      description={messages.inviteText}
      size="small"
      onClose={onClose}
      footer={
        <Button type="submit" form="invite-form" variant="primary" isBusy={isRunning}>
          {messages.invite}
        </Button>
      }
    >
      <form
        id="invite-form"
        class={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void invite()
        }}
      >
        <TextField
          label={messages.email}
          type="email"
          autoComplete="off"
          required
          value={email}
          onValue={setEmail}
          {...(wrong !== undefined && { error: wrong })}
        />
        <Select<Role>
          label={messages.role}
          value={role}
          options={rolesToGive(viewerRole).map(one => ({ value: one, label: roleText(one) }))}
          onValue={setRole}
        />
        <FormErrors errors={userErrors} fields={['email']} />
        {error !== undefined && <p role="alert">{error.text}</p>}
      </form>
    </Dialog>
  )
}
