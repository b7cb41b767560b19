import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The outcome of a test. `faults` holds what went wrong, also at a first try whose second one passed. */
export type Outcome = {
  title: string
  status: 'passed' | 'failed' | 'skipped'
  isSecondTry?: true
  faults: string[]
  /** The test's own time, in milliseconds. */
  ms: number
  file: string
}

type VitestReport = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages?: string[] }[]
  }[]
}
type PlaywrightSuite = { title: string; file?: string; suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] }
type PlaywrightSpec = {
  title: string
  file: string
  tests: { status: string; results: { duration: number; errors: { message?: string }[] }[] }[]
}

/** Returns the outcome of every test in the last `npm test`, from both runners. */
export const listOutcomes = (): Outcome[] => [
  ...vitestOutcomes('vitest'),
  ...playwrightOutcomes('playwright'),
]

/** The reports of Vitest that `npm run test:long` writes. */
export const LONG_REPORTS = ['long', 'questions', 'one-client'] as const

/** Returns the same for the last `npm run test:long`; empty if there was none. */
export const listLongOutcomes = (): Outcome[] => [
  ...LONG_REPORTS.flatMap(vitestOutcomes),
  ...playwrightOutcomes('playwright-long'),
]

/** Prints what failed or needed a second try, and counts the tests. Comes last, so that it is read also where only the end is kept. */
export function printOutcomes(outcomes: readonly Outcome[]): void {
  for (const { title, status, isSecondTry, faults } of outcomes) {
    if (isSecondTry) console.log(`\nPassed only at the second try: ${title}`)
    if (status === 'failed') console.log(`\nFailed: ${title}`)
    if (isSecondTry || status === 'failed')
      console.log(faults.map((fault) => fault.slice(0, 1500)).join('\n'))
  }
  const count = (wanted: Outcome['status']) => outcomes.filter(({ status }) => status === wanted).length
  console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
}

/** Prints each file that ran with its tests and minutes, and each test that was skipped. */
export function printFiles(outcomes: readonly Outcome[]): void {
  for (const [file, tests] of Map.groupBy(outcomes, (outcome) => outcome.file)) {
    const minutes = tests.reduce((sum, { ms }) => sum + ms, 0) / 60_000
    const ran = tests.filter(({ status }) => status !== 'skipped').length
    console.log(`${file}: ${ran} of ${tests.length} tests ran, ${minutes.toFixed(1)} minutes`)
  }
  for (const { title, file, status } of outcomes)
    if (status === 'skipped') console.log(`Not run: ${title} (${file})`)
}

function vitestOutcomes(run: string): Outcome[] {
  const report = readReport<VitestReport>(run)
  return (report?.testResults ?? []).flatMap(({ name, status: whole, message, assertionResults }) => {
    const file = relative(ROOT, name)
    const outcomes = assertionResults.map(
      ({ fullName, status, duration = 0, failureMessages = [] }): Outcome => ({
        title: fullName,
        file,
        ms: duration,
        faults: failureMessages,
        status: status === 'passed' || status === 'failed' ? status : 'skipped',
      }),
    )
    // A file that cannot be loaded, or whose hook throws, has no failed test.
    if (whole === 'failed' && outcomes.every(({ status }) => status !== 'failed'))
      outcomes.push({ title: file, file, ms: 0, faults: [message], status: 'failed' })
    return outcomes
  })
}

function playwrightOutcomes(run: string): Outcome[] {
  const walk = ({ suites = [], specs = [] }: PlaywrightSuite): Outcome[] => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests.map(({ status, results }): Outcome => ({
        title,
        file: `test/e2e/${file}`,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        faults: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)),
        status: STATUS[status] ?? 'failed',
        ...(status === 'flaky' && { isSecondTry: true }),
      })),
    ),
    ...suites.flatMap(walk),
  ]
  return (readReport<{ suites: PlaywrightSuite[] }>(run)?.suites ?? []).flatMap(walk)
}

const STATUS: Record<string, Outcome['status']> = { expected: 'passed', flaky: 'passed', skipped: 'skipped' }

function readReport<Report>(name: string): Report | null {
  const file = `${ROOT}/test-results/${name}.json`
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}
