import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** TESTS=unit: what needs no database. TESTS=long: what takes its time. Otherwise everything but the latter. */
const { TESTS } = process.env
const which = TESTS === 'unit' || TESTS === 'long' ? TESTS : 'all'

const needsDatabase = (name: string) => /\/test\/(app|database)\.ts'/.test(readFileSync(name, 'utf8'))

/** Where it is written down what passed. */
const report = { unit: null, long: 'long.json', all: 'vitest.json' }[which]

const beside = globSync('{src,demo}/**/*.test.{ts,tsx}')
const rules = beside.filter((name) => !needsDatabase(name))
const others = beside.filter(needsDatabase)

const include = {
  unit: [],
  long: ['test/long/*.test.ts', 'test/{kill-rounds,upload-rounds,files-stress}.test.ts'],
  all: [...others, 'test/*.test.ts'],
}[which]

const common = {
  setupFiles: 'test/clean-up.ts',
  // These only end a hang. A busy machine takes ten times as long as a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}

export default defineConfig({
  test: {
    ...(TESTS !== 'unit' && { globalSetup: 'test/global-setup.ts' }),
    // Tests wait more than they work.
    maxWorkers: 3,
    projects: [
      // What neither asks nor keeps anything needs no worker of its own for each file.
      ...(which === 'long' ? [] : [{ test: { ...common, name: 'rules', include: rules, isolate: false } }]),
      ...(which === 'unit' ? [] : [{ test: { ...common, name: 'app', include } }]),
    ],
    reporters: report ? ['default', ['json', { outputFile: `test-results/${report}` }]] : ['default'],
  },
})
