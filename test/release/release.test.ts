import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  follows,
  readVersion,
  releaseChangelog,
  releaseFaults,
  setVersion,
  unreleasedOf,
  type BeforeRelease,
} from '../../scripts/release/release-plan.ts'
import { SBOM_FILE } from '../../scripts/release/sbom.ts'
import { freshDirectory } from '../directory.ts'

type Sbom = {
  metadata: { component: { 'bom-ref': string } }
  components: { name: string; version: string; hashes: object[]; licenses: object[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const CHANGELOG =
  '# Changelog\n\nNewest first.\n\n## Unreleased\n\n- Something new.\n\n## 0.9.0 · 2026-10-01\n\n- Old.\n'

it.each([
  '',
  '1',
  '1.2',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-beta',
  'v1.2.3',
  ' 1.2.3',
  '1.2.3\n',
  '-1.2.3',
  '1.2.123456',
])('refuses the version %j', (text) => expect(readVersion(text)).toBeNull())

it.each([
  ['1.2.3', '1.2.4', true],
  ['1.2.3', '1.3.0', true],
  ['1.2.3', '2.0.0', true],
  ['0.1.0', '1.0.0', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.2.2', false],
  ['1.2.3', '1.2.5', false],
  ['1.2.3', '1.3.1', false],
  ['1.2.3', '2.1.0', false],
  ['1.2.3', '3.0.0', false],
])('the version after %s may be %s: %s', (now, next, may) => {
  expect(follows(readVersion(next)!, readVersion(now)!)).toBe(may)
})

it.each([
  [CHANGELOG, '- Something new.'],
  ['# Changelog\n\n## Unreleased\n\n- The last.\n', '- The last.'],
  ['# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- Old.\n', ''],
  ['# Changelog\n', ''],
])('reads the unreleased changes: %j', (changelog, text) => expect(unreleasedOf(changelog)).toBe(text))

it('unreleased changes get their version and day, and an empty Unreleased is added above', () => {
  const released = releaseChangelog(CHANGELOG, '1.0.0', '2026-11-17')
  expect(released).toBe(CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 1.0.0 · 2026-11-17\n'))
  expect(unreleasedOf(released)).toBe('')
})

it('the version is changed once in package.json and twice in the lock file, and nothing else changes', () => {
  const lock = readFileSync('package-lock.json', 'utf8')
  const changed = setVersion(lock, '98.76.54')
  expect(changed.split('"98.76.54"')).toHaveLength(3)
  expect(changed.split('\n')).toHaveLength(lock.split('\n').length)
  const { version } = JSON.parse(lock) as { version: string }
  expect(setVersion(changed, version)).toBe(lock)
  const own = readFileSync('package.json', 'utf8')
  expect(setVersion(setVersion(own, '98.76.54'), version)).toBe(own)
})

describe('releaseFaults', () => {
  const GOOD: BeforeRelease = {
    wanted: '1.0.0',
    now: '0.9.0',
    branch: 'main',
    dirty: [],
    tags: ['v0.9.0'],
    changelog: CHANGELOG,
    isTested: true,
    migrations: ['0001_first.sql'],
  }

  it('finds no fault when all is well', () => expect(releaseFaults(GOOD)).toEqual([]))

  it.each([
    [{ wanted: '1.0' }, /looks like 1\.2\.3/],
    [{ now: 'next' }, /package\.json/],
    [{ wanted: '1.1.0' }, /does not follow 0\.9\.0/],
    [{ branch: 'idea' }, /this is idea/],
    [{ branch: '' }, /no branch/],
    [{ dirty: [' M README.md'] }, /Not everything is committed: {2}M README\.md/],
    [{ tags: ['v1.0.0'] }, /a tag v1\.0\.0/],
    [{ changelog: '# Changelog\n\n## Unreleased\n' }, /nothing under Unreleased/],
    [{ changelog: `${CHANGELOG}\n## 1.0.0 · 2026-11-01\n` }, /has 1\.0\.0 already/],
    [{ migrations: [] }, /no migrations/],
    [{ isTested: false }, /--tested/],
  ] satisfies [Partial<BeforeRelease>, RegExp][])('finds the fault of a release: %j', (wrong, words) => {
    expect(releaseFaults({ ...GOOD, ...wrong })).toEqual([expect.stringMatching(words)])
  })
})

it('a release is two commits and a tag; a second one of the same version is refused', async () => {
  const root = await freshDirectory()
  for (const name of ['scripts', 'src/base', 'src/server/process'])
    cpSync(name, join(root, name), { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(name, join(root, name))
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'db'))
  writeFileSync(join(root, 'db/0001_first.sql'), 'select 1;')
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
  writeFileSync(join(root, '.gitignore'), 'node_modules\n')
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  for (const name of ['package.json', 'package-lock.json'])
    writeFileSync(join(root, name), setVersion(read(name), '0.9.0'))
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@ringbind.example' }
  const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@ringbind.example' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim()
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release/release.ts', ...args], { cwd: root, env, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')

  expect(release().stderr).toContain('npm run release')
  const untested = release('1.0.0')
  expect([untested.status, untested.stderr]).toEqual([1, expect.stringContaining('--tested')])
  const done = release('1.0.0', '--tested')
  expect([done.stderr, done.status]).toEqual(['', 0])
  expect(git('log', '--format=%s').split('\n')).toEqual([
    'Write down what 1.0.0 was',
    'Release 1.0.0',
    'Begin',
  ])
  expect(git('status', '--porcelain')).toBe('')
  expect(git('rev-parse', 'v1.0.0^{commit}')).toBe(git('rev-parse', 'HEAD~1'))
  expect(JSON.parse(read('db/released.json'))).toEqual({
    version: '1.0.0',
    commit: git('rev-parse', 'HEAD~1'),
    migration: '0001_first.sql',
    jobs: expect.any(Number),
  })
  expect(read('CHANGELOG.md')).toMatch(
    /^## Unreleased\n\n## 1\.0\.0 · \d{4}-\d\d-\d\d\n\nCommit `[0-9a-f]{40}`\.\n\n- Something new\.$/m,
  )
  for (const name of ['package.json', 'package-lock.json'])
    expect(JSON.parse(read(name))).toMatchObject({ version: '1.0.0' })
  // The list of packages is that of the lock file, and of this version.
  const sbom = JSON.parse(git('show', `v1.0.0:${SBOM_FILE}`)) as Sbom
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'ringbind', version: '1.0.0', type: 'application' } },
  })
  const named = sbom.components.map(({ name, version }) => `${name}@${version}`)
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  expect(named).toEqual(expect.arrayContaining(Object.entries(dependencies).map((each) => each.join('@'))))
  expect(sbom.components.filter(({ hashes, licenses }) => !hashes.length || !licenses.length)).toEqual([])
  // Everything listed is needed by something listed: nothing is missing, and nothing is only for development.
  const all = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set<string>()
  const reach = (ref: string) => {
    if (reached.has(ref)) return
    reached.add(ref)
    all.get(ref)!.forEach(reach)
  }
  reach(sbom.metadata.component['bom-ref'])
  expect([...all.keys()].filter((ref) => !reached.has(ref))).toEqual([])
  const again = release('1.0.0', '--tested')
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('a tag v1.0.0')])
})
