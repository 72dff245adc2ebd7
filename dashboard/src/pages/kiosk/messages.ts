import { defineMessages } from '../../i18n/define-messages.ts'

/** Texts of the wall display. */
export const messages = defineMessages({
  en: {
    title: 'Wall display',
    leave: 'Leave the wall display',
    next: 'Next line',
    previous: 'Previous line',
    pause: 'Stop or go on',
    paused: 'Stopped',
    slideOf: (at: number, count: number) => `${at} / ${count}`,
    empty: 'There is nothing to show yet',
    emptyText: 'The display shows lines once devices are registered on them.',
  },
  ko: {
    title: '전광판',
    leave: '전광판 닫기',
    next: '다음 라인',
    previous: '이전 라인',
    pause: '멈춤/재개',
    paused: '멈춤',
    slideOf: (at, count) => `${at} / ${count}`,
    empty: '아직 표시할 내용이 없습니다',
    emptyText: '라인에 설비를 등록하면 이 화면에 표시됩니다.',
  },
})
