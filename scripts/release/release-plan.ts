export type Version = { major: number; minor: number; patch: number }

/** Reads '1.2.3'; null for anything else, also '1.2' and '1.2.3-beta'. */
export function readVersion(text: string): Version | null {
  const found = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/.exec(text)
  if (!found) return null
  const [major, minor, patch] = found.slice(1).map(Number) as [number, number, number]
  return { major, minor, patch }
}

/** Whether `next` is one of the three versions that may come after `now`: 1.2.3 is followed by 1.2.4, 1.3.0 or 2.0.0. */
export function follows(next: Version, now: Version): boolean {
  const { major, minor, patch } = now
  const allowed = [
    { major, minor, patch: patch + 1 },
    { major, minor: minor + 1, patch: 0 },
    { major: major + 1, minor: 0, patch: 0 },
  ]
  return allowed.some(
    (one) => one.major === next.major && one.minor === next.minor && one.patch === next.patch,
  )
}

const UNRELEASED = '## Unreleased'

/** Returns the text under *Unreleased*; '' if there is none. */
export function unreleasedOf(changelog: string): string {
  const lines = changelog.split('\n')
  const start = lines.indexOf(UNRELEASED)
  if (start === -1) return ''
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '))
  return lines
    .slice(start + 1, end === -1 ? lines.length : end)
    .join('\n')
    .trim()
}

/** Turns *Unreleased* into a version with its day, and adds an empty *Unreleased* above: `## 1.0.0 · 2026-11-17`. */
export function releaseChangelog(changelog: string, version: string, day: string): string {
  return changelog.replace(/^## Unreleased$/m, () => `${UNRELEASED}\n\n## ${version} · ${day}`)
}

/** Names the commit of a release below its heading: a clone without tags finds it there. */
export function nameCommit(changelog: string, version: string, commit: string): string {
  return changelog.replace(/^## \S+ · .*$/m, (heading) =>
    heading.startsWith(`## ${version} ·`) ? `${heading}\n\nCommit \`${commit}\`.` : heading,
  )
}

/** The state of the repository before a release. */
export type BeforeRelease = {
  wanted: string
  now: string
  branch: string
  /** Files that are not committed, as git lists them. */
  dirty: string[]
  tags: string[]
  changelog: string
  /** Whether the releaser says that the tests have passed. */
  isTested: boolean
  /** The fault in what `db/released.json` should say, if there is one. */
  migrations: string[]
}

/** Returns everything that prevents a release. */
export function releaseFaults(before: BeforeRelease): string[] {
  const { wanted, now, branch, dirty, tags, changelog, isTested, migrations } = before
  const [next, last] = [readVersion(wanted), readVersion(now)]
  const faults: (string | false)[] = [
    next === null && `A version looks like 1.2.3; '${wanted}' does not.`,
    last === null && `The version in package.json looks like 1.2.3; '${now}' does not.`,
    next !== null &&
      last !== null &&
      !follows(next, last) &&
      `${wanted} does not follow ${now}: raise one number by one, and set those after it to 0.`,
    branch !== 'main' && `Releases are made on main; this is ${branch || 'no branch'}.`,
    dirty.length > 0 &&
      `Not everything is committed: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ' …' : ''}`,
    tags.includes(`v${wanted}`) && `There is a tag v${wanted} already.`,
    unreleasedOf(changelog) === '' && 'CHANGELOG.md has nothing under Unreleased.',
    hasVersion(changelog, wanted) && `CHANGELOG.md has ${wanted} already.`,
    migrations.length === 0 && 'There are no migrations in db.',
    !isTested &&
      'Run `npm test` and `npm run test:long` first. If both have passed on this commit, say so with --tested.',
  ]
  return faults.filter((fault) => fault !== false)
}

const hasVersion = (changelog: string, version: string) =>
  changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))

/** Sets the version in the text of package.json or package-lock.json: in the latter it stands twice. */
export function setVersion(json: string, version: string): string {
  const read = JSON.parse(json) as { version: string; packages?: Record<string, { version?: string }> }
  read.version = version
  const own = read.packages?.['']
  if (own) own.version = version
  return `${JSON.stringify(read, null, 2)}\n`
}

/** Facts about this release that the next one's tests need: `db/released.json`. */
export type Released = { version: string; commit: string; migration: string; jobs: number }

export const writeReleased = (released: Released) => `${JSON.stringify(released, null, 2)}\n`
