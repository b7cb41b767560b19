import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dayOf } from '../../src/base/time/dates.ts'
import { PROJECT } from '../../src/server/process/project-directory.ts'
import { makeSbom, SBOM_FILE } from './sbom.ts'
import { nameCommit, releaseChangelog, releaseFaults, setVersion, writeReleased } from './release-plan.ts'

// Makes a release: `npm run release -- 1.0.0 --tested`. Two commits and a tag, in this clone only; nothing is pushed. The
// tagged commit has the version, the CHANGELOG and the list of packages (SBOM). The commit after it writes down what was released, for the tests of the
// next version: a commit cannot name itself.

const USAGE = 'npm run release -- VERSION --tested, for example: npm run release -- 1.0.0 --tested'

const args = process.argv.slice(2)
const wanted = args.find((arg) => !arg.startsWith('-'))
const unknown = args.filter((arg) => arg !== wanted && arg !== '--tested')
if (wanted === undefined || unknown.length > 0) {
  console.error(USAGE)
  process.exit(1)
}

const at = (name: string) => new URL(name, PROJECT)
const read = (name: string) => readFileSync(at(name), 'utf8')
const change = (name: string, by: (text: string) => string) => writeFileSync(at(name), by(read(name)))
const git = (...words: string[]) => execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).trim()
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

const migrations = readdirSync(at('db'))
  .filter((name) => /^\d{4}_.*\.sql$/.test(name))
  .sort()
const { version: now } = JSON.parse(read('package.json')) as { version: string }
const faults = releaseFaults({
  wanted,
  now,
  branch: git('branch', '--show-current'),
  dirty: linesOf(git('status', '--porcelain')),
  tags: linesOf(git('tag', '--list')),
  changelog: read('CHANGELOG.md'),
  isTested: args.includes('--tested'),
  migrations,
})
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

const { pgboss } = JSON.parse(read('node_modules/pg-boss/package.json')) as { pgboss: { schema: number } }

change('CHANGELOG.md', (text) => releaseChangelog(text, wanted, dayOf(new Date(), 'Europe/Copenhagen')))
for (const name of ['package.json', 'package-lock.json']) change(name, (text) => setVersion(text, wanted))
writeFileSync(at(SBOM_FILE), makeSbom(read('package-lock.json'), new Date()))
git('add', SBOM_FILE)
git(
  'commit',
  '--quiet',
  '-m',
  `Release ${wanted}`,
  '--',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  SBOM_FILE,
)
git('tag', '-a', `v${wanted}`, '-m', `Ringbind ${wanted}`)

writeFileSync(
  at('db/released.json'),
  writeReleased({
    version: wanted,
    commit: git('rev-parse', 'HEAD'),
    migration: migrations.at(-1)!,
    jobs: pgboss.schema,
  }),
)
// A clone without tags finds the release by its commit.
change('CHANGELOG.md', (text) => nameCommit(text, wanted, git('rev-parse', 'HEAD')))
git('add', 'db/released.json', 'CHANGELOG.md')
git('commit', '--quiet', '-m', `Write down what ${wanted} was`)
console.log(`Released ${wanted}, here alone. To give it to others: git push origin main v${wanted}`)
