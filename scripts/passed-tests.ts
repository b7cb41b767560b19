import { existsSync, readFileSync } from 'node:fs'

/** The outcome of a test. `faults` holds what went wrong, also at a first try whose second one passed. */
export type Outcome = {
  title: string
  status: 'passed' | 'failed' | 'skipped'
  isSecondTry?: true
  faults: string[]
}

type VitestReport = {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages?: string[] }[] }[]
}
type PlaywrightSuite = { title: string; suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] }
type PlaywrightSpec = {
  title: string
  tests: { status: string; results: { errors: { message?: string }[] }[] }[]
}

/** Returns the outcome of every test in the last `npm test`, from both runners. */
export function listOutcomes(): Outcome[] {
  return [...vitestOutcomes('vitest'), ...playwrightOutcomes('playwright')]
}

/** Returns the same for the last `npm run test:long`; empty if there was none. */
export function listLongOutcomes(): Outcome[] {
  return [...vitestOutcomes('long'), ...playwrightOutcomes('playwright-long')]
}

export function countTests(): Record<Outcome['status'], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status } of listOutcomes()) counts[status]++
  return counts
}

function vitestOutcomes(run: 'vitest' | 'long'): Outcome[] {
  const report = readReport<VitestReport>(`test-results/${run}.json`)
  return (report?.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      title: fullName,
      faults: failureMessages,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  )
}

function playwrightOutcomes(run: 'playwright' | 'playwright-long'): Outcome[] {
  const walk = ({ suites = [], specs = [] }: PlaywrightSuite): Outcome[] => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ status, results }): Outcome => ({
        title,
        faults: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)),
        status: STATUS[status] ?? 'failed',
        ...(status === 'flaky' && { isSecondTry: true }),
      })),
    ),
    ...suites.flatMap(walk),
  ]
  const report = readReport<{ suites: PlaywrightSuite[] }>(`test-results/${run}.json`)
  return (report?.suites ?? []).flatMap(walk)
}

const STATUS: Record<string, Outcome['status']> = { expected: 'passed', flaky: 'passed', skipped: 'skipped' }

function readReport<Report>(name: string): Report | null {
  const file = new URL(`../${name}`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}
