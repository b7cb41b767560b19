import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { lendersOf, lendersOfFolder, seesFile, seesProject } from '../../src/access/seen.ts'
import { isLentTo, may } from '../../src/rights.ts'
import { urls } from '../../src/urls.ts'
import type { MyPapersPageProps } from '../../src/year/papers/my-papers-page.tsx'
import { comparisonFor, type Difference } from './differences.ts'
import type { RandomFile, RandomOffice, RandomPerson } from './random-office.ts'
import { yearOfFile, YEARS } from './seeing-years.ts'
import { propsIn } from '../page-data.ts'

/** Opens *Papirer* as one reader, year by year and by its filters, and compares every paper with the model. */
export async function comparePapers(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Record<string, string>,
): Promise<Difference[]> {
  const { differences, compare } = comparisonFor(reader)
  const seen = office.files.filter(({ id }) => seesFile(office, reader, id))
  const ownerOf = ({ folder }: RandomFile) => office.folders.find(({ id }) => id === folder)!.owner

  async function open(query: string): Promise<MyPapersPageProps | null> {
    const { statusCode, body } = await app.inject({ url: urls.papersPage + query, cookies })
    const status = !reader.isActive ? 303 : may(reader.role, 'seePapers') ? 200 : 403
    compare(`${urls.papersPage}${query}`, statusCode, status)
    return statusCode === 200 ? propsIn<MyPapersPageProps>(body) : null
  }

  /** Compares each year, page by page. */
  async function compareYears(filter: string, files: RandomFile[]): Promise<void> {
    for (const year of [...YEARS, null]) {
      const ofYear = files.filter(({ id }) => yearOfFile(id) === year)
      const shown: number[] = []
      for (let after: string | null = ''; after !== null;) {
        const props = await open(`?year=${year ?? 'none'}${filter}${after === '' ? '' : `&after=${after}`}`)
        if (!props) return
        const [found] = props.open
        compare(`how many papers of ${year}${filter}`, found?.total ?? 0, ofYear.length)
        shown.push(...(found?.papers.map(({ id }) => id) ?? []))
        after = found?.next ?? null
      }
      compare(
        `the papers of ${year}${filter}`,
        shown.sort(byNumber),
        ofYear.map(({ id }) => id).sort(byNumber),
      )
    }
  }

  const first = await open('')
  if (!first) return differences
  const projects = office.projects.filter(({ id }) => seesProject(office, reader, id))
  compare('the projects to choose', idsOf(first.projects), idsOf(projects))
  const lenders = isLentTo(reader.role) ? lendersOf(office, reader).map(({ lender }) => lender) : []
  compare('the clients to choose', idsOf(first.clients), idsOf(lenders))
  await compareYears('', seen)
  await compareYears(
    '&project=own',
    seen.filter((file) => 'user' in ownerOf(file)),
  )
  for (const { id } of office.projects)
    await compareYears(
      `&project=${id}`,
      seen.filter((file) => isDeepStrictEqual(ownerOf(file), { project: id })),
    )
  for (const { id } of lenders)
    await compareYears(
      `&client=${id}`,
      seen.filter(({ folder }) =>
        lendersOfFolder(office, reader, folder).some(({ lender }) => lender === id),
      ),
    )
  // Names hold a number of their own: a search finds nothing that is not seen.
  for (const { id, name } of office.files.slice(0, 5)) {
    const props = await open(`?q=${encodeURIComponent(name)}`)
    compare(
      `a search for ${name}`,
      props!.open.some(({ papers }) => papers.some((paper) => paper.id === id)),
      seen.some((file) => file.id === id),
    )
  }
  return differences
}

const byNumber = (a: number, b: number) => a - b
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort(byNumber)
