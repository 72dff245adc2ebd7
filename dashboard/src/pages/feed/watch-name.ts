import type { WatchKind } from '../../graphql/schema-types.generated.ts'
import type { WatchesQuery } from './feed.generated.ts'
import { messages } from './messages.ts'

/** What is watched. */
export type WatchTarget = NonNullable<WatchesQuery['watches'][number]['target']>

/** A watch as people read it: what kind of thing, its name, and what of it is told. */
export interface NamedWatch {
  readonly kind: WatchKind
  readonly id: string
  readonly kindText: string
  readonly name: string
  readonly covers: string
  readonly href: string | undefined
}

/** Names what is watched. */
export function nameWatch(target: WatchTarget): NamedWatch {
  const { id } = target
  switch (target.__typename) {
    case 'Device':
      return {
        ...{ kind: 'DEVICE', id, kindText: messages.device, name: target.code, covers: target.name },
        href: `/spaces/${target.space.id}/devices/${id}`,
      }
    case 'Line':
      return {
        ...{ kind: 'LINE', id, kindText: messages.line, name: target.name, covers: messages.ofLine },
        href: undefined,
      }
    case 'Process':
      return {
        ...{ kind: 'PROCESS', id, kindText: messages.process, name: target.name },
        ...{ covers: messages.ofProcess, href: undefined },
      }
    case 'Space':
      return {
        ...{ kind: 'SPACE', id, kindText: messages.wholeSpace, name: target.name },
        ...{ covers: messages.allOfSpace, href: `/spaces/${id}/board` },
      }
  }
}
