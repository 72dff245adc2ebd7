import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { toErrorRecord } from './error-record.ts'
import { createLinePace } from './line-pace.ts'

/** Writes one structured line per event: fields first, then a short event name such as `ingest.batch_failed`. */
export type Logger = PinoLogger

const WARN = 40

/**
 * Creates the logger of a process: JSON lines on standard error unless `destination` says otherwise. Errors are shown as
 * toErrorRecord says. Of warnings and errors of one event 20 a second are written; the next line of it says by `leftOut`
 * how many were not, so that no caller can fill the disk.
 */
export function createLogger(options: {
  level: string
  role: string
  destination?: DestinationStream
}): Logger {
  const pace = createLinePace()
  return pino(
    {
      hooks: {
        logMethod(args, method, level) {
          const [fields, event] = args as unknown as [unknown, unknown]
          if (level < WARN || typeof event !== 'string') return method.apply(this, args)
          const admitted = pace.admit(event)
          if (admitted === undefined) return
          if (admitted.leftOut > 0 && isPlain(fields)) args[0] = { ...fields, leftOut: admitted.leftOut }
          method.apply(this, args)
        },
      },
      level: options.level,
      base: { role: options.role },
      timestamp: stdTimeFunctions.isoTime,
      messageKey: 'event',
      serializers: { err: toErrorRecord },
      redact: [
        ...['password', 'credential', 'refreshToken', 'accessToken', 'authorization', 'passcode'],
        ...['secretKey', 'sessionToken'],
      ],
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  )
}

function isPlain(fields: unknown): fields is object {
  return typeof fields === 'object' && fields !== null && !(fields instanceof Error)
}
