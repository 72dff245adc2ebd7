import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

/** Expects axe (WCAG 2.2 A and AA) to find nothing serious or critical on a page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await axeSource)
  const violations = (await page.evaluate(`axe.run(document, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  }).then(({ violations }) => violations)`)) as readonly Violation[]
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(one => one.target.join(' ')).join(', ')}`,
  )
  expect(told, page.url()).toEqual([])
}

/** Expects a page not to be wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const [width, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ]
  expect(width, page.url()).toBeLessThanOrEqual(window)
}
