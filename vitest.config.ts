import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // One file for everyone, ours and the packages': graphql refuses schema objects of a second copy of itself.
    alias: [{ find: /^graphql$/, replacement: fromRoot('./node_modules/graphql/index.js') }],
  },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.nuvion/**'],
    globalSetup: ['subgraphs/shared/testkit/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { APOLLO_TELEMETRY_DISABLED: 'true' },
  },
})
