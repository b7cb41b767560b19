import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: process.env.LONG
      ? ['test/long/*.test.ts', 'test/kill-rounds.test.ts']
      : ['src/**/*.test.{ts,tsx}', 'test/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Tests wait more than they work.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
})
