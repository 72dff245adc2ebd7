import styles from './icon.module.css'

/** Paths on a 16 × 16 grid, drawn as strokes of 1.5. */
const PATHS = {
  alert: 'M8 2 14.5 13.5H1.5ZM8 6.5v3M8 11.4v.1',
  archive: 'M2 3h12v3H2ZM3 6v7.5h10V6M6.5 9h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowLeft: 'M13 8H3M7 4 3 8l4 4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  bell: 'M3.5 11.5V7a4.5 4.5 0 0 1 9 0v4.5l1 1h-11ZM6.5 14.5h3',
  board: 'M2 2.5h5v5H2ZM9 2.5h5v5H9ZM2 9.5h5v4H2ZM9 9.5h5v4H9Z',
  calendar: 'M2.5 3.5h11v10h-11ZM2.5 6.5h11M5.5 2v3M10.5 2v3',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronLeft: 'M10 4 6 8l4 4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronsUpDown: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 5v3.2l2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  comment: 'M2.5 3h11v8H8l-3 2.5V11H2.5Z',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  device: 'M2.5 3h11v7.5h-11ZM5.5 13.5h5M8 10.5v3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  drag: 'M6 3.5v.1M10 3.5v.1M6 8v.1M10 8v.1M6 12.5v.1M10 12.5v.1',
  edit: 'M3 13l.6-2.6 7.4-7.4 2 2-7.4 7.4ZM9.5 4.5l2 2',
  expand: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  eye: 'M1.5 8C3.5 4.7 5.5 3.5 8 3.5s4.5 1.2 6.5 4.5c-2 3.3-4 4.5-6.5 4.5S3.5 11.3 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  feed: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h7',
  filter: 'M2 3.5h12L9.5 9v4.5l-3-1.5V9Z',
  globe: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM2 8h12M8 2c3.2 3.4 3.2 8.6 0 12M8 2c-3.2 3.4-3.2 8.6 0 12',
  grid: 'M2.5 2.5h11v11h-11ZM2.5 8h11M8 2.5v11',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5v3.5M8 5v.1',
  keyboard: 'M1.5 4h13v8.5h-13ZM4 6.8v.1M6.7 6.8v.1M9.3 6.8v.1M12 6.8v.1M5 9.8h6',
  link: 'M7 9l2-2M6 6.5 4 8.5a2.5 2.5 0 0 0 3.5 3.5l2-2M10 9.5l2-2A2.5 2.5 0 0 0 8.5 4l-2 2',
  lock: 'M3.5 7h9v6.5h-9ZM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  mail: 'M2 3.5h12v9H2ZM2 4.5l6 4.5 6-4.5',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  minus: 'M3.5 8h9',
  monitor: 'M2 3h12v8H2ZM5 13.5h6',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M4.5 3v10l8-5Z',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 6.5A5.2 5.2 0 0 0 3.5 5.5M3 2.8v3h3M3 9.5a5.2 5.2 0 0 0 9.5 1M13 13.2v-3h-3',
  report: 'M2.5 13.5h11M4.5 13.5V9M8 13.5V3M11.5 13.5V6.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.2 3.2',
  settings:
    'M2 4.5h6.5M12 4.5h2M2 11.5h2M7.5 11.5H14M10.2 2.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM5.8 9.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
  signOut: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.8 7v4M9.2 7v4',
  user: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4ZM2.8 13.5c.5-2.6 2.5-3.8 5.2-3.8s4.7 1.2 5.2 3.8',
  users:
    'M6 3a2.4 2.4 0 1 0 0 4.8A2.4 2.4 0 0 0 6 3ZM1.5 13c.4-2.3 2-3.3 4.5-3.3s4.1 1 4.5 3.3M10.5 3.2a2.4 2.4 0 0 1 0 4.4M12 9.9c1.5.4 2.3 1.4 2.5 3.1',
  video: 'M1.5 4h9v8h-9ZM10.5 7l4-2.5v7l-4-2.5Z',
  wifiOff:
    'M2 2l12 12M1.5 6.2A10 10 0 0 1 5 4M7.5 3.5a10 10 0 0 1 7 2.7M4 9a6 6 0 0 1 3-1.7M10.5 8c.6.3 1 .6 1.5 1M8 12.3v.1',
} as const

export type IconName = keyof typeof PATHS

/** Drawing that says nothing by itself: its neighbour or its button has the name. Side in px, 16 by default. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
