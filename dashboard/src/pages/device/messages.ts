import { defineMessages } from '../../i18n/define-messages.ts'

export const messages = defineMessages({
  en: { title: 'Device' },
  ko: { title: '설비' },
})
