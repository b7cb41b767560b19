import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { lendersOfFolder, seesFile, seesProject } from '../../src/access/seen.ts'
import type { FilesPageProps } from '../../src/files/list/files-page.tsx'
import { isLentTo, isOffice, may, type Right } from '../../src/rights.ts'
import type { StartPageProps } from '../../src/start/start-page.tsx'
import { urls } from '../../src/urls.ts'
import type { OverviewPageProps } from '../../src/year/overview/overview-page.tsx'
import { comparisonFor, type Difference } from './differences.ts'
import type { RandomFile, RandomOffice, RandomPerson } from './random-office.ts'
import { yearOfFile } from './seeing-years.ts'
import { readZip } from '../formats/zip-reader.ts'
import { propsIn } from '../page-data.ts'

const PACKED_YEARS = [2025, 2024, 1999]

/** Takes every package as one reader, and compares the years, the sums and the files in them with the model. */
export async function comparePackages(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Record<string, string>,
): Promise<Difference[]> {
  const { differences, compare } = comparisonFor(reader)
  const statusOf = (right: Right, isSeen: boolean) =>
    !reader.isActive ? 303 : !may(reader.role, right) ? 403 : isSeen ? 200 : 404

  const seen = office.files.filter(({ id }) => seesFile(office, reader, id))
  const ownerOf = ({ folder }: RandomFile) => office.folders.find(({ id }) => id === folder)!.owner
  const isLentBy = (lender: number) => (file: RandomFile) =>
    lendersOfFolder(office, reader, file.folder).some((each) => each.lender === lender)

  const take = async (right: Right, url: string, files: RandomFile[]) => {
    const { statusCode, rawPayload } = await app.inject({ url, cookies })
    if (!compare(url, statusCode, statusOf(right, files.length > 0)) || statusCode !== 200) return
    const [contents, ...entries] = readZip(rawPayload)
    const expected = files.map(({ name }) => name).sort()
    compare(`the files in ${url}`, entries.map(({ name }) => name.replace(/^.*\//, '')).sort(), expected)
    const named = contents!.bytes.toString().matchAll(/<a href="\.\/[^"]*">([^<]*)<\/a>/g)
    compare(
      `the table of contents in ${url}`,
      [contents!.name, [...named].map(([, name = '']) => name).sort()],
      ['Indhold.html', expected],
    )
  }
  const sumsOf = (files: RandomFile[]) =>
    PACKED_YEARS.map((year) => ({ year, of: files.filter((file) => yearOfFile(file.id) === year) }))
      .filter(({ of }) => of.length > 0)
      .map(({ year, of }) => ({
        year,
        sum: { files: of.length, bytes: of.reduce((bytes, { name }) => bytes + name.length, 0) },
      }))

  const propsOf = async <Props>(url: string): Promise<Props> => {
    const { body } = await app.inject({ url, cookies })
    return propsIn<Props>(body)
  }
  if (reader.isActive) {
    const { day } = await propsOf<StartPageProps>(urls.start)
    compare('whether the start page tells of the day', day !== null, isOffice(reader.role))
  }
  if (reader.isActive && !may(reader.role, 'seePapers')) {
    const { packages } = await propsOf<OverviewPageProps>(urls.year)
    compare(
      'the packages on the page of the year',
      packages,
      may(reader.role, 'takeYears') ? sumsOf(seen) : [],
    )
  }
  for (const { id } of office.projects.filter((each) => seesProject(office, reader, each.id))) {
    if (!reader.isActive) continue
    const { years } = await propsOf<FilesPageProps>(urls.files(id))
    const own = seen.filter((file) => isDeepStrictEqual(ownerOf(file), { project: id }))
    compare(`the years on the page of project ${id}`, years, sumsOf(own))
  }
  for (const year of PACKED_YEARS) {
    const ofYear = seen.filter((file) => yearOfFile(file.id) === year)
    await take('takeYears', urls.yearPackage(year), ofYear)
    for (const { id } of office.projects) {
      const isSeen = seesProject(office, reader, id)
      const files = ofYear.filter((file) => isDeepStrictEqual(ownerOf(file), { project: id }))
      await take('seeFiles', urls.projectPackage(id, year), isSeen ? files : [])
    }
    for (const { id } of office.people)
      await take(
        'seeLenders',
        urls.lenderPackage(id, year),
        isLentTo(reader.role) ? ofYear.filter(isLentBy(id)) : [],
      )
  }
  return differences
}
