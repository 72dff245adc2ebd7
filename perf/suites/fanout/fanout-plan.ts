import type { Pace } from '../../runner/subscriber-crowd.ts'

/** How events are asked for in a round. */
export type PaceName = 'single' | 'burst' | 'spaced'

/** What is measured: a contestant with its subscribers at a pace. */
export interface Lane {
  readonly contestant: string
  readonly pace: PaceName
}

/** A program with its subscribers. */
export interface Contestant {
  /** Unique in its group. */
  readonly name: string
  /** Program of perf/peers/fanout. */
  readonly peer: string
  readonly subscribers: number
  /** Topic it follows; one of its own where contestants share the subgraphs. */
  readonly topic: number
}

/** Contestants that are measured in turns. */
export interface Group {
  readonly name: string
  /** Whether all of them have the subgraphs, and the feed, in one process outside. */
  readonly isRemote: boolean
  readonly contestants: readonly Contestant[]
  readonly lanes: readonly Lane[]
}

/** How long and how often. */
export interface Plan {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
  /** CPU of a contestant in a round; with less, chance and clock ticks (10 ms) show. */
  readonly minCpuMs: number
  /** How uncertain the median of a ratio may be: its 95 % interval, as a share. */
  readonly maxUncertainty: number
  readonly idleSubscribers: number
}

export const FULL_PLAN: Plan = {
  rounds: 20,
  roundMs: 2_000,
  warmUpMs: 4_000,
  minCpuMs: 150,
  maxUncertainty: 0.1,
  idleSubscribers: 10_000,
}

export const QUICK_PLAN: Plan = {
  rounds: 3,
  roundMs: 1_000,
  warmUpMs: 2_000,
  minCpuMs: 50,
  maxUncertainty: 0.25,
  idleSubscribers: 2_000,
}

/** Events that are pending at once in a burst. */
const BURST = 10

/**
 * `spaced` is for few subscribers, where taking a command for each event would cost as much as the event: a hundred come
 * one by one, a millisecond apart.
 */
export const PACES: Readonly<Record<PaceName, Omit<Pace, 'durationMs'>>> = {
  single: { events: 1, gapMs: 0 },
  burst: { events: BURST, gapMs: 0 },
  spaced: { events: 100, gapMs: 1 },
}

export const GROUPS = {
  naive: {
    name: 'naive',
    isRemote: false,
    contestants: [
      { name: 'ours', peer: 'ours', subscribers: 200, topic: 0 },
      { name: 'naive', peer: 'naive', subscribers: 200, topic: 0 },
    ],
    lanes: [
      { contestant: 'ours', pace: 'single' },
      { contestant: 'naive', pace: 'single' },
    ],
  },
  ws: {
    name: 'ws',
    isRemote: false,
    contestants: [
      { name: 'ours', peer: 'ours', subscribers: 1_000, topic: 0 },
      { name: 'bare', peer: 'bare', subscribers: 1_000, topic: 0 },
      { name: 'ours of 10', peer: 'ours', subscribers: 10, topic: 0 },
    ],
    lanes: [
      { contestant: 'ours', pace: 'single' },
      { contestant: 'bare', pace: 'single' },
      { contestant: 'ours of 10', pace: 'spaced' },
      { contestant: 'ours', pace: 'burst' },
      { contestant: 'bare', pace: 'burst' },
    ],
  },
  hive: {
    name: 'hive',
    isRemote: true,
    contestants: [
      { name: 'ours', peer: 'ours', subscribers: 200, topic: 0 },
      { name: 'hive', peer: 'hive', subscribers: 200, topic: 1 },
    ],
    lanes: [
      { contestant: 'ours', pace: 'single' },
      { contestant: 'hive', pace: 'single' },
    ],
  },
  hive1000: {
    name: 'hive of 1000',
    isRemote: true,
    contestants: [
      { name: 'ours', peer: 'ours', subscribers: 1_000, topic: 0 },
      { name: 'hive', peer: 'hive', subscribers: 1_000, topic: 1 },
    ],
    lanes: [
      { contestant: 'ours', pace: 'single' },
      { contestant: 'hive', pace: 'single' },
    ],
  },
} satisfies Record<string, Group>
