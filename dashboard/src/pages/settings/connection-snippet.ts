/** A program that connects as a device and reports: ready to be pasted into a file and run. */
export function connectionSnippet(origin: string, deviceId: string, credential: string): string {
  return `// device.mjs
import { Client } from '@stomp/stompjs'

const device = new Client({
  brokerURL: '${origin.replace(/^http/, 'ws')}/stomp/websocket',
  connectHeaders: {
    login: '${deviceId}',
    passcode: '${credential}',
  },
  heartbeatOutgoing: 10_000,
  heartbeatIncoming: 10_000,
  onConnect: () => {
    device.subscribe('/user/queue/errors', message => console.error(message.body))
    send('/app/state', { status: 'RUNNING', metrics: { temperature: 41.2 } })
    send('/app/log', { level: 'INFO', message: 'Connected' })
  },
  onStompError: frame => console.error(frame.headers.message),
})
const send = (destination, body) => device.publish({ destination, body: JSON.stringify(body) })
device.activate()
`
}
