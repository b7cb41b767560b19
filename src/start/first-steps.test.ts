import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject } from '../../test/make.ts'
import { listFirstSteps, type NewOffice, type Step } from './first-steps.ts'

const NEW: NewOffice = {
  decided: [],
  hasName: false,
  hasMailed: false,
  hasChangedFolders: false,
  hasProject: false,
  hasPerson: false,
  hasFile: false,
}
const DONE: NewOffice = {
  decided: [],
  hasName: true,
  hasMailed: true,
  hasChangedFolders: true,
  hasProject: true,
  hasPerson: true,
  hasFile: true,
}

describe('listFirstSteps', () => {
  it.each([
    [{}, []],
    [{ hasName: true }, ['office']],
    [{ hasMailed: true }, ['mail']],
    [{ decided: ['mail'] }, ['mail']],
    [{ hasChangedFolders: true }, ['folders']],
    [{ decided: ['folders', 'mail'] }, ['mail', 'folders']],
    [{ hasProject: true }, ['project']],
    [{ hasPerson: true }, ['person']],
    [{ hasFile: true, hasProject: true }, ['project', 'pile']],
    [{ ...DONE, hasFile: false }, ['office', 'mail', 'folders', 'project', 'person']],
    [{ decided: ['of a newer version'] }, []],
  ] satisfies [Partial<NewOffice>, Step[]][])('the first steps of %j are done: %j', (facts, done) => {
    const list = listFirstSteps({ ...NEW, ...facts }, true)
    expect(list?.steps.filter(({ isDone }) => isDone).map(({ step }) => step)).toEqual(done)
    expect(list?.steps).toHaveLength(6)
  })

  it.each([
    ['everything is done', DONE],
    [
      'the decisions replace what was not done',
      { ...DONE, hasMailed: false, hasChangedFolders: false, decided: ['mail', 'folders'] },
    ],
    ['it is put away', { ...NEW, decided: ['hidden'] }],
  ] satisfies [string, NewOffice][])('there are no first steps when %s', (_when, office) => {
    expect(listFirstSteps(office, false)).toBeNull()
  })
})

/** Reads from the page which steps are not done. */
function openSteps(body: string): string[] {
  const section = /Kom i gang<\/h2>.*?<\/ol>/s.exec(body)?.[0]
  if (section === undefined) return ['no list']
  return [...section.matchAll(/<li.*?<\/li>/gs)]
    .map(([item]) => item)
    .filter((item) => !item.includes('(gjort)'))
    .map((item) => /<a [^>]*>([^<]*)<\/a>/.exec(item)![1]!)
}

it('the office’s acts tick off each first step, and the list disappears when all are done', async () => {
  const test = await freshApp({ hasJobs: false })
  const { visitor } = await enter(test, 'administrator')
  const open = async () => openSteps((await visitor.get('/')).body)
  const all = [
    'Skriv, hvem I er',
    'Tag stilling til mails',
    'Se mappeskabelonen igennem',
    'Opret det første projekt',
    'Inviter den første person',
    'Læg den første bunke op',
  ]
  expect(await open()).toEqual(all)
  const { body } = await visitor.get('/')
  expect(body).toContain('href="/settings/import"')
  expect(body).not.toContain('Ingen projekter endnu')

  await visitor.post('/settings/office', { name: 'Fjordhus', version: '0' })
  expect(await open()).toEqual(all.slice(1))
  for (let times = 0; times < 2; times++)
    expect((await visitor.post('/first-steps', { decision: 'mail' })).statusCode).toBe(303)
  expect(await open()).toEqual(all.slice(2))
  // A project's own folders are no change of the template.
  const project = await makeProject(test.db)
  expect(await open()).toEqual([all[2], all[4], all[5]])
  await visitor.post('/first-steps', { decision: 'folders' })
  await enter(test, 'employee')
  expect(await open()).toEqual([all[5]])
  const [folder] = Object.values(await foldersByName(test.db, project.id))
  await makeFile(test, folder!, { name: 'Budget 2027.pdf' })
  expect(await open()).toEqual(['no list'])
  const { rows } = await sql<{ first_steps: string[] }>`select first_steps from office`.execute(test.db)
  expect(rows).toEqual([{ first_steps: ['mail', 'folders'] }])
})

it('a changed template and a sent mail are steps too; Skjul hides the list for good', async () => {
  const test = await freshApp({ hasJobs: false })
  const { visitor } = await enter(test, 'administrator')
  const open = async () => openSteps((await visitor.get('/')).body)
  await visitor.post('/settings/folders', { name: 'Momsregnskab', sub_names: '' })
  await sql`insert into log (act, detail) values ('test-mail-sent', 'refused')`.execute(test.db)
  expect(await open()).not.toContain('Se mappeskabelonen igennem')
  expect(await open()).toContain('Tag stilling til mails')
  await sql`insert into log (act, detail) values ('test-mail-sent', 'accepted')`.execute(test.db)
  expect(await open()).not.toContain('Tag stilling til mails')

  expect((await visitor.post('/first-steps', { decision: 'alt' })).statusCode).toBe(422)
  await visitor.post('/first-steps', { decision: 'hidden' })
  const { body } = await visitor.get('/')
  expect(openSteps(body)).toEqual(['no list'])
  expect(body).toContain('Opret projekt')
})
