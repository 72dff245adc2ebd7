import { expect, it } from 'vitest'
import { MOST_DEVICES, parseDevices } from './parse-devices.ts'

const FLOOR = {
  lines: [
    { id: 'l1', name: 'Stamping' },
    { id: 'l2', name: 'Welding' },
  ],
  processes: [
    { id: 'p1', name: 'Press', line: { id: 'l1' } },
    { id: 'p2', name: 'Press', line: { id: 'l2' } },
    { id: 'p3', name: 'Check', line: null },
  ],
}

it('reads rows of a spreadsheet and of commas, and finds places by their names', () => {
  const text =
    'A-1\tPress, big\tKR 6\tstamping\tPRESS\r\n\nA-2, Robot,, Welding, Press\nA-3,Gate,,,check\nA-4,Lamp'
  expect(parseDevices(text, FLOOR)).toEqual({
    problems: [],
    devices: [
      { code: 'A-1', name: 'Press, big', model: 'KR 6', lineId: 'l1', processId: 'p1' },
      { code: 'A-2', name: 'Robot', model: null, lineId: 'l2', processId: 'p2' },
      { code: 'A-3', name: 'Gate', model: null, lineId: null, processId: 'p3' },
      { code: 'A-4', name: 'Lamp', model: null, lineId: null, processId: null },
    ],
  })
})

it('says what is wrong in which row', () => {
  const { problems } = parseDevices('\nA-1\nA-2,Robot,,Nowhere,Press\nA-3,Lamp,,Welding,Paint', FLOOR)
  expect(problems).toHaveLength(3)
  expect(problems[0]).toContain('2')
  expect(problems[1]).toContain('Nowhere')
  expect(problems[2]).toContain('Paint')
  const many = Array.from({ length: MOST_DEVICES + 1 }, (_, at) => `C-${at},Lamp`).join('\n')
  expect(parseDevices(many, FLOOR).problems).toHaveLength(1)
})
