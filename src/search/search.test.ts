import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../test/make.ts'
import { propsIn } from '../../test/page-data.ts'
import type { Visitor } from '../../test/visitor.ts'
import { urls } from '../urls.ts'
import { indexFiles } from './index-files.db.ts'
import { MOST_SAVED, type SavedSearch } from './answer/saved-search.ts'
import { saveSearch } from './saved-searches.db.ts'
import type { BoxAnswer, SearchList } from './answer/search-answer.ts'
import type { SearchPageProps } from './search-page.tsx'

let test: TestApp
let administrator: Entered
let employee: Entered
let auditor: Entered
let investor: Entered
let stranger: Entered
let project: number
let other: number

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  ;[administrator, employee, auditor, investor, stranger] = await Promise.all([
    enter(test, 'administrator', { name: 'Anna Kontor' }),
    enter(test, 'employee', { name: 'Erik Kontor' }),
    enter(test, 'auditor', { name: 'Rita Revisor' }),
    enter(test, 'investor', { name: 'Ida Granbo', numbers: ['2001'] }),
    enter(test, 'investor', { name: 'Fie Fremmed' }),
  ])
  const granit = { number: '7001', name: 'K/S Granitten' }
  ;({ id: project } = await makeProject(test.db, { ...granit, members: [auditor.id, investor.id] }))
  ;({ id: other } = await makeProject(test.db, { number: '7002', name: 'K/S Granskoven' }))
  const folders = await foldersByName(test.db, project)
  await makeFile(test, folders.Budget!, { name: 'Granit budget 2025.pdf', uploadedBy: employee.id })
  await makeFile(test, folders.Diverse!, { name: 'Granit hemmelig.txt', bytes: 'Hemmelig' })
  await makeFile(test, folders.Budget!, { name: 'Granit kladde.pdf', isHeldBack: true })
  await makeFile(test, (await foldersByName(test.db, other)).Budget!, { name: 'Granskov 2024.pdf' })
  await makeFile(test, await makeUserFolder(test.db, investor.id), { name: 'Granit pas.pdf' })
})

const listFor = async (visitor: Visitor, query: string) =>
  visitor.get(urls.searchAnswers + query).then((answer) => answer.json<SearchList>())
const namesFor = async (visitor: Visitor, query: string) =>
  (await listFor(visitor, query)).data.map(({ name }) => name).sort()
const boxFor = async (visitor: Visitor, q: string) =>
  visitor.get(`${urls.suggestions}?q=${q}`).then((answer) => answer.json<BoxAnswer>())

const pageFor = async ({ visitor }: Entered, query = '') =>
  propsIn<SearchPageProps>((await visitor.get(urls.search + query)).body)

describe('a search', () => {
  it('a search finds only what its reader sees', async () => {
    const [office, ofProject] = ['Granit budget 2025.pdf', 'Granit hemmelig.txt']
    const all = [office, ofProject, 'Granit kladde.pdf', 'Granit pas.pdf']
    expect(await namesFor(employee.visitor, '?q=granit')).toEqual(all)
    expect(await namesFor(auditor.visitor, '?q=granit')).toEqual([office, ofProject])
    expect(await namesFor(investor.visitor, '?q=granit')).toEqual([office, 'Granit pas.pdf'])
    expect(await namesFor(stranger.visitor, '?q=granit')).toEqual([])
    const { meta, about, places } = await listFor(stranger.visitor, '?q=gran')
    expect([meta.total, about.facets, places]).toEqual([
      0,
      { projects: [], folders: [], years: [] },
      { projects: [], folders: [], people: [] },
    ])
  })

  it('suggests only projects, folders, people and files that the reader sees', async () => {
    const { projects, people, files } = await boxFor(employee.visitor, 'gran')
    expect(projects.map(({ number }) => number)).toEqual(['7001', '7002'])
    expect(people.map(({ name, numbers }) => [name, numbers])).toEqual([['Ida Granbo', ['2001']]])
    expect(files).toHaveLength(5)
    const own = await boxFor(auditor.visitor, 'gran')
    expect([own.projects.map(({ number }) => number), own.people]).toEqual([['7001'], []])
    expect(await boxFor(stranger.visitor, 'gran')).toMatchObject({ projects: [], people: [], files: [] })
    expect((await boxFor(investor.visitor, 'diverse')).folders).toEqual([])
    expect((await boxFor(auditor.visitor, 'diverse')).folders).toMatchObject([{ name: 'Diverse' }])
  })

  it.each([
    ['?q=granit&year=2025', ['Granit budget 2025.pdf']],
    ['?q=granskov&year=2024', ['Granskov 2024.pdf']],
    ['?q=granit&folder=Diverse', ['Granit hemmelig.txt']],
    ['?q=granit&from=2199-01-01', []],
    ['?q=granit&to=1999-01-01', []],
    ['?q=granit&type=picture', []],
  ])('filters narrow a search: %s', async (query, expected) => {
    expect(await namesFor(administrator.visitor, query)).toEqual(expected)
  })

  it('a search is narrowed by project and by uploader', async () => {
    expect(await namesFor(employee.visitor, `?q=granskov&project=${other}`)).toEqual(['Granskov 2024.pdf'])
    expect(await namesFor(employee.visitor, `?q=granit&by=${employee.id}`)).toEqual([
      'Granit budget 2025.pdf',
    ])
    const { picked } = await listFor(employee.visitor, `?q=granit&project=${other}&by=${employee.id}`)
    expect(picked).toEqual({
      project: { id: other, number: '7002', name: 'K/S Granskoven' },
      by: { id: employee.id, name: 'Erik Kontor' },
    })
  })

  it('an empty search finds nothing', async () => {
    expect((await listFor(employee.visitor, '')).meta.total).toBe(0)
    const { saved: _saved, ...box } = await boxFor(employee.visitor, '')
    expect(box).toMatchObject({ projects: [], folders: [], people: [], files: [] })
  })

  it.each([
    `?q=${'a'.repeat(201)}`,
    '?q=gran&q=gran',
    '?q=gran&project=x',
    '?q=gran&project=99999999',
    '?q=gran&by=99999999',
    '?q=gran&page=0',
    '?q=gran&page=101',
    '?q=gran&from=2026-01-02&to=2026-01-01',
    '?sort=name',
  ])('the API refuses wrong filters, which the page ignores: %s', async (query) => {
    const answer = await employee.visitor.get(urls.searchAnswers + query)
    expect(answer.statusCode).toBe(422)
    expect(answer.json<{ errors: object }>().errors).not.toEqual({})
    const page = await employee.visitor.get(urls.search + query)
    expect(page.statusCode).toBe(200)
  })

  it.each([`?q=${'a'.repeat(201)}`, '?q=a&year=2025', '?q=a&find=b'])(
    'the search box accepts only words: %s',
    async (query) => {
      expect((await employee.visitor.get(urls.suggestions + query)).statusCode).toBe(422)
    },
  )

  it('a hidden project or uploader looks like one that does not exist', async () => {
    for (const query of ['?q=granit&project=', '?q=gran&by=']) {
      const hidden = query.includes('project') ? other : employee.id
      const refusals = await Promise.all(
        [hidden, 99_999_999].map((id) => investor.visitor.get(`${urls.searchAnswers}${query}${id}`)),
      )
      expect(refusals.map(({ statusCode }) => statusCode)).toEqual([422, 422])
      expect(refusals[0]!.json<{ errors: object }>().errors).toEqual(
        refusals[1]!.json<{ errors: object }>().errors,
      )
      expect((await pageFor(investor, `${query}${hidden}`)).list.picked).toEqual({ project: null, by: null })
    }
  })

  it('a page past the end leads to the last one', async () => {
    const answer = await employee.visitor.get('/search?q=gran&page=7')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/search?q=gran'])
  })

  it('finds the uploader by name without JavaScript, for the office', async () => {
    const found = await employee.visitor.get('/search?q=gran&project=&find_by=Erik+Kontor')
    expect(found.headers.location).toBe(`/search?q=gran&by=${employee.id}`)
    expect((await pageFor(employee, '?q=gran&find_by=Ingen')).missing).toBe('Ingen')
    const asInvestor = await pageFor(investor, `?q=gran&find_by=Erik+Kontor&by=${employee.id}`)
    expect([asInvestor.missing, asInvestor.question.by, asInvestor.saved]).toEqual([null, null, null])
  })
})

describe('saved searches', () => {
  const save = ({ visitor }: Entered, fields: object) =>
    visitor.post(urls.savedSearches, { ...fields }, { script: true })
  const savedBy = async (person: Entered) => (await pageFor(person)).saved!.map(({ name }) => name)

  it('saved searches are shown to their owner, in the box and on the page, until they are removed', async () => {
    const answer = await save(employee, { name: ' Granit i år ', query: '?year=2025&q=granit&page=2' })
    expect(answer.json()).toEqual({ redirect: '/search?q=granit&year=2025' })
    expect(await savedBy(employee)).toEqual(['Granit i år'])
    expect((await boxFor(employee.visitor, '')).saved).toMatchObject([
      { name: 'Granit i år', query: '?q=granit&year=2025' },
    ])
    expect(await savedBy(administrator)).toEqual([])
    // The same search again has the new name.
    await save(employee, { name: 'Granit 2025', query: '?q=granit&year=2025' })
    expect(await savedBy(employee)).toEqual(['Granit 2025'])

    const [saved] = (await pageFor(employee)).saved as [SavedSearch]
    const remove = (person: Entered) => person.visitor.post(urls.removeSavedSearch(saved.id))
    expect((await remove(administrator)).statusCode).toBe(404)
    expect(await savedBy(employee)).toEqual(['Granit 2025'])
    expect((await remove(employee)).headers.location).toBe('/search')
    expect(await savedBy(employee)).toEqual([])
    expect((await remove(employee)).statusCode).toBe(404)
  })

  it.each([
    [{ name: '', query: '?q=granit' }, 'name'],
    [{ name: 'x'.repeat(101), query: '?q=granit' }, 'name'],
    [{ name: 'Intet', query: '' }, 'query'],
    [{ name: 'Intet', query: '?page=2&sort=name' }, 'query'],
    [{ name: 'Intet' }, 'query'],
    [{ name: 'Langt', query: `?q=${'a'.repeat(5000)}` }, 'query'],
  ])('a saved search needs a name and something to search for: %j', async (fields, fault) => {
    const answer = await save(employee, fields)
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual([fault])
    expect(await savedBy(employee)).toEqual([])
  })

  it('without JavaScript a refused saved search is shown again with its fault', async () => {
    const answer = await employee.visitor.post(urls.savedSearches, { name: '', query: '?q=granit' })
    expect(answer.statusCode).toBe(422)
    const { question, refused, list } = propsIn<SearchPageProps>(answer.body)
    expect([question.q, list.meta.total, refused!.errors]).toEqual([
      'granit',
      4,
      { name: ['Navnet skal udfyldes.'] },
    ])
  })

  it.each(['auditor', 'investor'] as const)('saved searches are closed to the %s', async (role) => {
    const { id, visitor } = { auditor, investor }[role]
    const answer = await visitor.post(urls.savedSearches, { name: 'x', query: '?q=x' }, { script: true })
    expect(answer.statusCode).toBe(403)
    await saveSearch(test.db, id, { name: 'Fra kontoret', query: '?q=x' }) // before their role was changed
    expect((await boxFor(visitor, '')).saved).toEqual([])
    expect((await pageFor({ id, visitor })).saved).toBeNull()
  })

  it(`a person has at most ${MOST_SAVED} saved searches, also when two are saved at once`, async () => {
    const { id, visitor } = await enter(test, 'administrator')
    for (let each = 1; each < MOST_SAVED; each++)
      await saveSearch(test.db, id, { name: `Nr. ${each}`, query: `?q=${each}` })
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((q) => save({ id, visitor }, { name: q, query: `?q=${q}` })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
    const renamed = await save({ id, visitor }, { name: 'Nyt navn', query: '?q=1' })
    expect(renamed.statusCode).toBe(200)
    expect((await boxFor(visitor, '')).saved).toHaveLength(MOST_SAVED)
  })
})

it('runs one search at a time for each person, and ends those the person has left', async () => {
  await indexFiles(test.db)
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = test.app.server.address() as AddressInfo
  const agent = new Agent({ maxSockets: 10 })
  const search = ({ visitor }: Entered) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = request({ port, agent, path: `${urls.searchAnswers}?q=granit`, headers: { cookie } })
    const status = once(sent, 'response').then(
      ([answer]: IncomingMessage[]) => answer!.statusCode,
      () => null,
    )
    sent.end()
    return { leave: () => sent.destroy(), status }
  }
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holding = test.db.transaction().execute(async (trx) => {
    await sql`lock table file_words in access exclusive mode`.execute(trx)
    hold()
    await held
  })
  await isHeld
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_locks where not granted and relation = 'file_words'::regclass`.execute(
      test.db,
    )
    return rows[0]!.count
  }
  const patient = { timeout: 60_000, interval: 20 }
  try {
    const [first, second] = [search(investor), search(investor)]
    await expect.poll(waiting, patient).toBe(1)
    const ofOther = search(employee)
    await expect.poll(waiting, patient).toBe(2) // not three
    first.leave()
    second.leave()
    await expect.poll(waiting, patient).toBe(1)
    letGo()
    expect(await ofOther.status).toBe(200)
  } finally {
    letGo()
    await holding
    agent.destroy()
  }
})
