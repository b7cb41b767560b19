import { globSync, readFileSync } from 'node:fs'
import { findMemoryDirectory } from './test/memory-directory.ts'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** TESTS=unit: what needs no database. TESTS=long: what takes its time. Otherwise everything but the latter. */
const { TESTS } = process.env
const which = TESTS === 'unit' || TESTS === 'long' ? TESTS : 'all'

const needsDatabase = (name: string) =>
  /\/test\/(app|database|office\/\w+-suite)\.ts'/.test(readFileSync(name, 'utf8'))

/** Reading the demo's documents and asking about them takes a minute: only `npm run questions` and the long tests do. */
const asksQuestions = process.env.QUESTIONS === 'all' || process.env.npm_lifecycle_event === 'questions'

/** Where it is written down what passed. */
const report = { unit: null, long: 'long.json', all: 'vitest.json' }[which]

const beside = globSync('{src,demo}/**/*.test.{ts,tsx}')
const rules = beside.filter((name) => !needsDatabase(name))
const others = beside.filter(needsDatabase)

/** Files with tests or rounds that only the long tests have. */
const hasMore = (name: string) => readFileSync(name, 'utf8').includes("/long-only.ts'")

const include = {
  unit: [],
  long: [
    'test/long/*.test.ts',
    'test/*/{kill-rounds,revocation}.test.ts',
    ...[...beside, ...globSync('test/*/*.test.ts')].filter(hasMore),
  ],
  all: [
    ...others,
    ...globSync('test/*/*.test.ts', { exclude: ['test/long'] }).filter(
      (name) => asksQuestions || !/search-questions/.test(name),
    ),
  ],
}[which]

// Databases and data directories are made and thrown away by the hundred. Long tests want a real disk.
const memory = which === 'long' ? null : findMemoryDirectory()
if (memory) process.env.TMPDIR = memory

/** Begins with the files that start processes. They wait the most, so that none of them is alone at the end. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (/\/test\/[^/]+\/[^/]+$/.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const common = {
  setupFiles: 'test/set-up.ts',
  // Loading the app costs 2.6 s of processor time, so the files of a worker share its modules. Long tests measure, and share nothing.
  isolate: which === 'long',
  // These only end a hang. A busy machine takes ten times as long as a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}

export default defineConfig({
  test: {
    ...(TESTS !== 'unit' && { globalSetup: 'test/global-setup.ts' }),
    // Tests wait more than they work. Long tests measure, so fewer of them run beside each other.
    maxWorkers: which === 'long' ? 2 : 3,
    sequence: { sequencer: Sequencer },
    projects: [
      ...(which === 'long' ? [] : [{ test: { ...common, name: 'rules', include: rules } }]),
      ...(which === 'unit' ? [] : [{ test: { ...common, name: 'app', include } }]),
    ],
    reporters: report ? ['default', ['json', { outputFile: `test-results/${report}` }]] : ['default'],
  },
})
