import { useSpace } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AccountSection } from './account-section.tsx'
import { AuditSection } from './audit-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { FloorSection } from './floor-section.tsx'
import { MembersSection } from './members-section.tsx'
import { messages } from './messages.ts'
import { NotificationsSection } from './notifications-section.tsx'
import { mayManage } from './roles.ts'
import { SpaceSection } from './space-section.tsx'

const SECTIONS = ['devices', 'floor', 'members', 'space', 'notifications', 'account', 'audit'] as const

type Section = (typeof SECTIONS)[number]

/** What a person may change of a space and of themselves. */
export function SettingsPage() {
  const { id, viewerRole } = useSpace()
  const isManager = mayManage(viewerRole)
  const shown = SECTIONS.filter(section => isManager || section !== 'audit')
  const [section, setSection] = useUrlState<Section>(
    'tab',
    text => shown.find(one => one === text),
    isManager ? 'devices' : 'notifications',
  )
  const titles = {
    devices: messages.devices,
    floor: messages.floor,
    members: messages.members,
    space: messages.space,
    notifications: messages.notifications,
    account: messages.account,
    audit: messages.audit,
  }
  return (
    <>
      <PageHeader title={messages.title} />
      <Tabs
        label={messages.sections}
        tabs={shown.map(one => ({ id: one, label: titles[one] }))}
        selected={section}
        onSelect={setSection}
      >
        <SectionOf key={`${id} ${section}`} section={section} />
      </Tabs>
    </>
  )
}

function SectionOf({ section }: { section: Section }) {
  switch (section) {
    case 'devices':
      return <DevicesSection />
    case 'floor':
      return <FloorSection />
    case 'members':
      return <MembersSection />
    case 'space':
      return <SpaceSection />
    case 'notifications':
      return <NotificationsSection />
    case 'account':
      return <AccountSection />
    case 'audit':
      return <AuditSection />
  }
}
