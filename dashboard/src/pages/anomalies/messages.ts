import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: { title: 'Anomalies' },
  ko: { title: '이상' },
})
