import { randomUUID } from 'node:crypto'
import type { SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import { parseCursor } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import type { StreamStart } from '../../subgraphs/shared/live-topic/live-topics.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { RightsChange } from '../../subgraphs/shared/permissions/rights-watch.ts'
import type { SpaceAccess } from '../../subgraphs/shared/space-access.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { type Authorization, authorize, createRightsError } from './authorization.ts'
import { canonicalJson } from './canonical-json.ts'
import { createEventBatch, createGapPayload } from './event-payload.ts'
import { type EventRunner, toClientError } from './event-runner.ts'
import type { UpstreamLimits } from './group-upstream.ts'
import type { Subscriber } from './subscriber.ts'
import { createSubscriptionGroup, type Membership, type SubscriptionGroup } from './subscription-group.ts'
import type { SubscriptionMetrics } from './subscription-metrics.ts'
import type { SubscriptionPlan } from './subscription-planner.ts'

/** A subscription as a client asks for it, planned and with its variables checked. */
export interface SubscriptionRequest {
  readonly plan: SubscriptionPlan
  readonly variables: Readonly<Record<string, unknown>>
  /** Cursor of the last message that the client has seen; null when it has none and wants to know from where it follows. */
  readonly resumeAfter?: string | null
}

/** Runs subscriptions, together where they may be run together. */
export interface SubscriptionHub {
  /**
   * Runs a subscription for a subscriber until it ends or the answer is called, which lets go at once and without a
   * word. Throws BAD_USER_INPUT when `resumeAfter` is no cursor; all other trouble goes to the subscriber's `end`.
   */
  subscribe(request: SubscriptionRequest, subscriber: Subscriber): () => void
  /** Looks again at what the subscribers concerned may see: moves them to others of their new role, or ends them. */
  reconsider(change: RightsChange): void
}

interface Subscription extends SubscriptionRequest {
  readonly subscriber: Subscriber
  readonly spaceId: string | undefined
  /** Undefined until it is authorized for the first time. */
  authorization: Authorization | undefined
  membership: Membership | undefined
  /** Grows with each change of rights, so that a lookup that began before it is not trusted. */
  changes: number
  isAuthorizing: boolean
  isOver: boolean
  /** Another one for each. */
  readonly number: number
}

/** Creates a hub over the subgraphs' sources. */
export function createSubscriptionHub({
  sources,
  access,
  runner,
  limits,
  metrics,
  logger,
}: {
  sources: ReadonlyMap<string, SubgraphSource>
  /** Roles of people. */
  access: SpaceAccess
  runner: EventRunner
  limits: UpstreamLimits
  metrics: SubscriptionMetrics
  logger: Logger
}): SubscriptionHub {
  const subscriptions = new Set<Subscription>()
  let subscribed = 0
  const groups = new Map<SubscriptionPlan, Map<string, SubscriptionGroup>>()

  function openGroup({ plan, variables }: Subscription, { grant }: Authorization, onClosed: () => void) {
    const { fetch: primary } = plan.primary
    const source = sources.get(primary.serviceName)
    if (source === undefined)
      throw new TypeError(`Expected a source for the subgraph ${primary.serviceName}, got none.`)
    const used = (primary.variableUsages ?? []).filter(name => Object.hasOwn(variables, name))
    const operation = {
      query: primary.operation,
      operationName: primary.operationName,
      variables: Object.fromEntries(used.map(name => [name, variables[name]])),
    }
    const requestOf = ({ viewer }: Subscriber, start?: StreamStart): SubgraphRequest => ({
      viewer,
      requestId: randomUUID(),
      ...(grant && { grant }),
      ...(start && { start }),
    })
    return createSubscriptionGroup({
      open: (start, getSpeaker) => source.subscribe(operation, () => requestOf(getSpeaker(), start)),
      run(event, speaker) {
        metrics.countEvent()
        return runner.run(plan, variables, event, requestOf(speaker))
      },
      limits,
      onClosed,
      onLost(error) {
        metrics.countLostStream()
        logger.warn({ err: error, subgraph: primary.serviceName }, 'gateway.stream_lost')
      },
    })
  }

  function getGroup(subscription: Subscription, authorization: Authorization): SubscriptionGroup {
    const { plan, variables } = subscription
    let ofPlan = groups.get(plan)
    if (ofPlan === undefined) {
      ofPlan = new Map()
      groups.set(plan, ofPlan)
    }
    const ofSamePlan = ofPlan
    const names = plan.operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
    const given = names.filter(name => Object.hasOwn(variables, name))
    const declared = Object.fromEntries(given.map(name => [name, variables[name]]))
    const key = `${authorization.key}\n${isShared(subscription) ? '' : subscription.number}\n${canonicalJson(declared)}`
    const known = ofSamePlan.get(key)
    if (known !== undefined) return known
    const group = openGroup(subscription, authorization, () => {
      metrics.countGroups(-1)
      ofSamePlan.delete(key)
      if (ofSamePlan.size === 0) groups.delete(plan)
    })
    metrics.countGroups(1)
    ofSamePlan.set(key, group)
    return group
  }

  function join(
    subscription: Subscription,
    authorization: Authorization,
    after: string | null | undefined,
  ): void {
    if (typeof after === 'string') metrics.countResumption()
    subscription.authorization = authorization
    const onEnd = (error?: unknown) => finish(subscription, error)
    const group = getGroup(subscription, authorization)
    subscription.membership = group.join(subscription.subscriber, onEnd, after)
  }

  /** Looks up what a subscription's viewer may see, until no change came between, and puts it where it belongs. */
  async function settle(subscription: Subscription): Promise<void> {
    if (subscription.isAuthorizing) return
    subscription.isAuthorizing = true
    const { plan, spaceId, subscriber, resumeAfter } = subscription
    try {
      for (;;) {
        const { changes } = subscription
        const found = await authorize(plan, spaceId, subscriber.viewer, access)
        if (subscription.isOver) return
        if (changes !== subscription.changes) continue
        const { authorization: before, membership } = subscription
        if (before === undefined) join(subscription, found, resumeAfter)
        else if (before.grant !== undefined && found.grant === undefined)
          return finish(subscription, createRightsError())
        else if (before.key !== found.key) {
          const position = membership?.position ?? resumeAfter
          membership?.leave()
          join(subscription, found, position)
          // Without a place in a topic nobody knows what it has missed between the two.
          if (position === undefined) subscriber.next(createEventBatch([createGapPayload(undefined)]))
        }
        return
      }
    } catch (error) {
      // Also when the role cannot be looked up: who may have lost it must not go on.
      finish(subscription, error)
    } finally {
      subscription.isAuthorizing = false
    }
  }

  function close(subscription: Subscription): boolean {
    if (subscription.isOver) return false
    subscription.isOver = true
    subscriptions.delete(subscription)
    subscription.membership?.leave()
    metrics.countSubscriptions(-1)
    return true
  }

  function finish(subscription: Subscription, error?: unknown): void {
    if (!close(subscription)) return
    subscription.subscriber.end(error === undefined ? undefined : toClientError(error, logger))
  }

  return {
    subscribe(request, subscriber) {
      if (typeof request.resumeAfter === 'string') parseCursor(request.resumeAfter)
      const subscription: Subscription = {
        ...request,
        subscriber,
        spaceId: request.plan.spaceIdOf(request.variables),
        authorization: undefined,
        membership: undefined,
        changes: 0,
        isAuthorizing: false,
        isOver: false,
        number: ++subscribed,
      }
      subscriptions.add(subscription)
      metrics.countSubscriptions(1)
      void settle(subscription)
      return () => void close(subscription)
    },

    reconsider(change) {
      for (const subscription of [...subscriptions]) {
        if (!concerns(change, subscription)) continue
        subscription.changes++
        void settle(subscription)
      }
    },
  }
}

/**
 * Whether others may share the stream. What is of no space and of its viewer alone begins with a snapshot, which who comes
 * later to a stream that runs would not get.
 */
function isShared({ plan, spaceId }: Subscription): boolean {
  return spaceId !== undefined || !plan.isViewerDependent
}

/** Whether a change may be one of what the subscription's viewer may see of its space. */
function concerns(change: RightsChange, { subscriber: { viewer }, spaceId }: Subscription): boolean {
  if (spaceId === undefined || viewer?.kind !== 'user') return false
  if (change.kind === 'unknown') return true
  if (change.kind === 'space-changed') return change.spaceId === spaceId
  return change.kind === 'membership-changed' && change.spaceId === spaceId && change.userId === viewer.userId
}
