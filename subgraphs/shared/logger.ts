import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { toErrorRecord } from './error-record.ts'

/** Writes one structured line per event: fields first, then a short event name such as `ingest.batch_failed`. */
export type Logger = PinoLogger

/** Creates the logger of a process: JSON lines on standard error unless `destination` says otherwise. Errors are shown as toErrorRecord says. */
export function createLogger(options: {
  level: string
  role: string
  destination?: DestinationStream
}): Logger {
  return pino(
    {
      level: options.level,
      base: { role: options.role },
      timestamp: stdTimeFunctions.isoTime,
      messageKey: 'event',
      serializers: { err: toErrorRecord },
      redact: ['password', 'credential', 'refreshToken', 'accessToken', 'authorization', 'passcode'],
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  )
}
