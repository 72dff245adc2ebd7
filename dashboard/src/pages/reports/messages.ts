import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: { title: 'Reports' },
  ko: { title: '보고서' },
})
