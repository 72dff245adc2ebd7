import { language } from '../i18n/language.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { theme } from '../ui/theme.ts'
import { messages } from './messages.ts'

/** Menus of theme and language. */
export function Preferences({ opens = 'up' }: { opens?: 'up' | 'down' }) {
  return (
    <>
      <Menu
        label={messages.theme}
        opens={opens}
        trigger={
          <Icon name={theme.value === 'dark' ? 'moon' : theme.value === 'light' ? 'sun' : 'monitor'} />
        }
        items={(['system', 'light', 'dark'] as const).map(choice => ({
          key: choice,
          label: { system: messages.themeSystem, light: messages.themeLight, dark: messages.themeDark }[
            choice
          ],
          isChecked: theme.value === choice,
          onPress: () => {
            theme.value = choice
          },
        }))}
      />
      <Menu
        label={messages.language}
        opens={opens}
        trigger={<Icon name="globe" />}
        items={(['ko', 'en'] as const).map(choice => ({
          key: choice,
          label: { ko: '한국어', en: 'English' }[choice],
          isChecked: language.value === choice,
          onPress: () => {
            language.value = choice
          },
        }))}
      />
    </>
  )
}
