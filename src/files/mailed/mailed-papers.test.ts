import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeManyFiles, makeProject } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { urls } from '../../urls.ts'
import { writePaperIds } from './paper-ids.ts'
import type { PapersPageProps } from './papers-page.tsx'

let test: TestApp
let investor: Entered
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  investor = await enter(test, 'investor')
  const project = await makeProject(test.db, { members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
})

async function open(address: string) {
  const { statusCode, body } = await investor.visitor.get(address)
  expect(statusCode).toBe(200)
  const props = propsIn<PapersPageProps>(body)
  return { ...props, body, ids: props.groups.flatMap(({ files }) => files.map(({ id }) => id)) }
}

it('the papers of a mail are shown 50 at a time, and all of them are reached', async () => {
  const ids = [
    ...(await makeManyFiles(test.db, folders.Budget!, 70)),
    ...(await makeManyFiles(test.db, folders.Årsrapport!, 50)),
  ]
  const address = urls.papers(writePaperIds(ids)!)
  const parts = []
  for (let next: string | null = address; next !== null;) {
    const part = await open(next)
    parts.push(part)
    next = part.next === null ? null : `${address}?after=${part.next}`
  }
  expect(parts.map((part) => [part.from, part.ids.length, part.total])).toEqual([
    [1, 50, 120],
    [51, 50, 120],
    [101, 20, 120],
  ])
  expect(parts.flatMap((part) => part.ids).sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
  expect(parts[0]!.body).toContain(`href="${address}?after=${parts[0]!.next}"`)
  expect(parts[1]!.body).toContain(`<a href="${address}"`)
})

it('few papers of a mail are shown without parts, and what is no file is ignored', async () => {
  const ids = await makeManyFiles(test.db, folders.Budget!, 2)
  const part = await open(`${urls.papers(writePaperIds(ids)!)}?after=forkert`)
  expect([part.ids, part.from, part.next]).toEqual([ids, 1, null])
  expect(part.body).not.toContain('Flere filer')
})
