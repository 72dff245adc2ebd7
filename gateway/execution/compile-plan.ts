import type { PlanNode } from '@apollo/query-planner'
import { compileFetch, type PlanTarget } from './fetch-step.ts'
import type { PlanStep } from './plan-execution.ts'
import type { PlanPath } from './response-path.ts'

/** Compiles a node of a plan, with all that is below it, into one step. `path` is where the node works. */
export function compilePlan(node: PlanNode, path: PlanPath, target: PlanTarget): PlanStep {
  switch (node.kind) {
    case 'Fetch':
      return compileFetch(node, path, target)
    case 'Flatten':
      return compilePlan(node.node, [...path, ...node.path.map(String)], target)
    case 'Sequence': {
      const steps = node.nodes.map(inner => compilePlan(inner, path, target))
      return async execution => {
        for (const step of steps) await step(execution)
      }
    }
    case 'Parallel': {
      const steps = node.nodes.map(inner => compilePlan(inner, path, target))
      return async execution => {
        await Promise.all(steps.map(step => step(execution)))
      }
    }
    case 'Condition': {
      const { condition, ifClause, elseClause } = node
      const whenTrue = ifClause && compilePlan(ifClause, path, target)
      const whenFalse = elseClause && compilePlan(elseClause, path, target)
      return async execution => {
        await (execution.conditions.get(condition) ? whenTrue : whenFalse)?.(execution)
      }
    }
    default:
      throw new TypeError(`Expected a plan without ${node.kind}.`)
  }
}
