import { formatCount } from '../../base/danish/counts.ts'
import { periodKeyText, yearOfPeriod } from '../../base/time/period.ts'
import { withTexts, type Moments } from './release.ts'

/** Papers of a release that are of one kind and one period. */
type NamedPapers = {
  /** The folder's name; for a person's own papers, how the files' names begin. Null for none. */
  kind: string | null
  is_own: boolean
  period: string | null
  papers: number
}

/** The facts that a release is named after. */
export type Naming = {
  /** The name that the office has given it; null for the one made of its papers. */
  given: string | null
  /** Its folders and periods, most papers first. */
  contents: NamedPapers[]
  projects: number
  people: number
  /** The name of the project or person, if there is only one. */
  owner: string | null
  /** Whether the accounting years of its only project are written '2024/25'. */
  crosses_new_year: boolean
}

export const MOST_NAME = 120

/** 'Årsrapport 2025 · 46 projekter', or the name that the office has given it. */
export const releaseName = (naming: Naming) => naming.given ?? madeName(naming)

/** A row as a query reads it: with what its name is made of. */
export type Unnamed<Row extends { name: string }> = Omit<Moments<Row>, 'name'> & { naming: Naming }

/** Returns a row with its name, and with texts for times. */
export const withName = <Row extends { name: string }>({ naming, ...row }: Unnamed<Row>) =>
  withTexts<Row>({ ...row, name: releaseName(naming) } as Moments<Row>)

/** The name made of what is in a release. */
export function madeName(naming: Omit<Naming, 'given'>): string {
  if (naming.contents.length === 0) return 'Slettede filer'
  const kinds = kindsText(naming.contents)
  const period = periodOf(naming)
  const isSaid = period !== '' && kinds.includes(period)
  return `${kinds}${period === '' || isSaid ? '' : ` ${period}`} · ${ownersText(naming)}`
}

/** 'Årsrapport', 'Årsrapport og Budget', or 'Årsrapport, Budget m.m.'. */
function kindsText(contents: readonly NamedPapers[]): string {
  const ownKind = commonKind(contents.filter((each) => each.is_own))
  const kinds = sums(contents, (each) => (each.is_own ? ownKind : each.kind!)).map(([kind]) => kind)
  if (kinds.length <= 2) return kinds.join(' og ')
  return `${kinds.slice(0, 2).join(', ')} m.m.`
}

/** The files of people may be named in any way: the kind that most of them have. */
function commonKind(own: readonly NamedPapers[]): string {
  const [first] = sums(own, ({ kind }) => kind)
  return first && first[0] !== null && 2 * first[1] > sum(own) ? first[0] : 'Egne filer'
}

/** '2025', '3. kvartal 2025', '2023–2025', or '' if most papers have none. */
function periodOf({ contents, crosses_new_year: crosses }: Omit<Naming, 'given'>): string {
  const dated = contents.filter(({ period }) => period !== null)
  if (2 * sum(dated) < sum(contents)) return ''
  const periods = sums(dated, ({ period }) => period!)
  const most = (all: readonly (readonly [string, number])[]) => {
    const [first] = all
    return first && 2 * first[1] > sum(dated) ? first[0] : null
  }
  const years = sums(dated, ({ period }) => String(yearOfPeriod(period)))
  const one = periods.length === 1 ? periods[0]![0] : most(years)
  if (one !== null) return periodKeyText(one, crosses)
  const sorted = years.map(([year]) => year).toSorted()
  return `${sorted[0]}–${sorted.at(-1)}`
}

function ownersText({ projects, people, owner }: Omit<Naming, 'given'>): string {
  if (owner !== null) return owner
  const texts = [
    projects > 0 && (projects === 1 ? '1 projekt' : `${formatCount(projects)} projekter`),
    people > 0 && (people === 1 ? '1 person' : `${formatCount(people)} personer`),
  ]
  return texts.filter(Boolean).join(' og ')
}

const sum = (contents: readonly NamedPapers[]) => contents.reduce((all, { papers }) => all + papers, 0)

/** How many papers each key has, most first. */
function sums<Key>(
  contents: readonly NamedPapers[],
  keyOf: (papers: NamedPapers) => Key,
): (readonly [Key, number])[] {
  const groups = [...Map.groupBy(contents, keyOf)]
  return groups.map(([key, some]) => [key, sum(some)] as const).toSorted((a, b) => b[1] - a[1])
}
