import { readFileSync } from 'node:fs'
import { listLongOutcomes, listOutcomes } from './passed-tests.ts'

// Prints the requirements without a passed test in the last `npm test` or `npm run test:long`, and those with a
// test that did not pass: a failure in one run is not made up for by the other.

const lines = readFileSync(new URL('../docs/requirements.md', import.meta.url), 'utf8').split('\n')
const usual = listOutcomes()
if (usual.length === 0) throw new Error('There is no list of passed tests: run `npm test` first.')
const outcomes = [...usual, ...listLongOutcomes()]
const idsOf = (title: string) => title.match(/\bS\d+\.\d+\b/g) ?? []
const passed = new Set(
  outcomes.filter(({ status }) => status === 'passed').flatMap(({ title }) => idsOf(title)),
)
const failed = new Set(
  outcomes.filter(({ status }) => status !== 'passed').flatMap(({ title }) => idsOf(title)),
)
for (const line of lines) {
  const id = /^- \*\*(S\d+\.\d+)\*\*/.exec(line)?.[1]
  if (id && (!passed.has(id) || failed.has(id))) console.log(line)
}
