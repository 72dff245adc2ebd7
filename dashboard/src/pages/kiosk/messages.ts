import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: { title: 'Wall display' },
  ko: { title: '현황 모니터' },
})
