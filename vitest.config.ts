import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** TESTS=unit: what needs no database. TESTS=long: what takes its time. Otherwise everything but the latter. */
const { TESTS } = process.env
const which = TESTS === 'unit' || TESTS === 'long' ? TESTS : 'all'

const needsDatabase = (name: string) => /\/test\/(app|database)\.ts'/.test(readFileSync(name, 'utf8'))

/** Where it is written down what passed. */
const report = { unit: null, long: 'long.json', all: 'vitest.json' }[which]

const include = {
  unit: () => globSync('{src,demo}/**/*.test.{ts,tsx}').filter((name) => !needsDatabase(name)),
  long: () => ['test/long/*.test.ts', 'test/{kill-rounds,upload-rounds,files-stress}.test.ts'],
  all: () => ['{src,demo}/**/*.test.{ts,tsx}', 'test/*.test.ts'],
}[which]()

export default defineConfig({
  test: {
    include,
    setupFiles: 'test/clean-up.ts',
    ...(TESTS !== 'unit' && { globalSetup: 'test/global-setup.ts' }),
    // Tests wait more than they work.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: report ? ['default', ['json', { outputFile: `test-results/${report}` }]] : ['default'],
  },
})
