import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: { title: 'Settings' },
  ko: { title: '설정' },
})
