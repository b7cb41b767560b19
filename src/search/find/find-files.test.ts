import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { makeFile, makeProject, makeUser } from '../../../test/make.ts'
import type { Reader } from '../../access/reader.ts'
import { addPageTexts } from '../../reading/page-texts.db.ts'
import { Look } from '../beside/beside.server.ts'
import { NO_FILTERS } from './candidates.db.ts'
import { findFiles } from './find-files.db.ts'
import { forgetWords, indexFiles, wantWords } from '../index-files.db.ts'
import type { Question, SearchAnswer } from '../answer/results.ts'
import { suggest } from '../suggest.db.ts'
import { urls } from '../../urls.ts'

let test: TestApp
let office: Reader

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  office = await makeUser(test.db, { role: 'employee' })
})

const ask = (q: string, reader: Reader = office, more: Partial<Question> = {}): Promise<SearchAnswer> =>
  findFiles(test.db, reader, { ...NO_FILTERS, q, page: 1, ...more }, 'Europe/Copenhagen')

const namesOf = ({ files }: Pick<SearchAnswer, 'files'>) => files.map(({ name }) => name).sort()

/** Makes a file whose pages have these texts. */
async function makePaper(folder: number, name: string, ...pages: string[]): Promise<number> {
  const bytes = `%PDF-1.7 ${name} ${folder} ${pages.join('\f')}`
  const { id } = await makeFile(test, folder, { name, bytes })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { rows } = await sql<{ id: number }>`
    update texts set state = 'read', pages = ${pages.length} where sha256 = ${sha256} returning id`.execute(
    test.db,
  )
  await addPageTexts(
    test.db,
    rows[0]!.id,
    pages.map((text, index) => ({ page: index + 1, text })),
  )
  return id
}

async function makeScene() {
  const investor = await makeUser(test.db, { role: 'investor' })
  const project = await makeProject(test.db, { members: [investor.id] })
  const { rows } = await sql<{ id: number }>`
    select id from folders where project_id = ${project.id} order by visible_to_investors, place`.execute(
    test.db,
  )
  const [hidden, shared] = [rows[0]!.id, rows.at(-1)!.id]
  return { investor, project, shared, hidden }
}

describe('words in documents', () => {
  it('finds words in every form, inside compounds and with other spellings', async () => {
    const { shared } = await makeScene()
    await makePaper(shared, 'Papir (1) 2024.pdf', 'Forside', 'Årsrapporten for zebraparken blev godkendt.')
    await indexFiles(test.db)
    for (const q of [
      'årsrapport',
      'aarsrapporter',
      'rapport zebra',
      'zebraparkens',
      'ZEBRA',
      'zebrapark årsraport',
    ]) {
      const answer = await ask(q)
      expect([q, namesOf(answer)]).toEqual([q, ['Papir (1) 2024.pdf']])
      expect(answer.files[0]!.pages.map(({ page }) => page)).toEqual([2])
    }
  })
})

describe('files that change', () => {
  it('finds a file by its name at once, and by its words when they are indexed', async () => {
    const { shared } = await makeScene()
    const id = await makePaper(shared, 'Kvisthus 2031.pdf', 'Et gebis.')
    expect(namesOf(await ask('kvisthus'))).toEqual(['Kvisthus 2031.pdf'])
    expect(namesOf(await ask('gebis'))).toEqual([])
    await indexFiles(test.db)
    expect(namesOf(await ask('gebis'))).toEqual(['Kvisthus 2031.pdf'])
    await sql`update files set name = 'Omdøbt 2031.pdf' where id = ${id}`.execute(test.db)
    expect(namesOf(await ask('omdøbt'))).toEqual(['Omdøbt 2031.pdf'])
    await indexFiles(test.db)
    expect(namesOf(await ask('kvisthus'))).toEqual([])
    expect(namesOf(await ask('gebis omdøbt'))).toEqual(['Omdøbt 2031.pdf'])
  })

  it('finds a file while its words are being indexed', async () => {
    const { shared } = await makeScene()
    await makePaper(shared, 'Malakit 2032.pdf', 'Grøn sten.')
    let isIndexed = false
    const db = test.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // Runs between the first query and the next.
        if (!isIndexed) await indexFiles(test.db)
        isIndexed = true
        return result
      },
    })
    const answer = await findFiles(db, office, { ...NO_FILTERS, q: 'malakit', page: 1 }, 'Europe/Copenhagen')
    expect([isIndexed, namesOf(answer)]).toEqual([true, ['Malakit 2032.pdf']])
  })

  it('finds a moved file by the words of its new folder and project', async () => {
    const from = await makeScene()
    const to = await makeScene()
    const id = await makePaper(from.shared, 'Vandrer.pdf', 'Flyttelasset.')
    await indexFiles(test.db)
    expect(namesOf(await ask('flyttelasset', from.investor))).toEqual(['Vandrer.pdf'])
    await sql`update files set folder_id = ${to.shared} where id = ${id}`.execute(test.db)
    await indexFiles(test.db)
    expect(namesOf(await ask('flyttelasset', from.investor))).toEqual([])
    expect(namesOf(await ask('flyttelasset', to.investor))).toEqual(['Vandrer.pdf'])
    await sql`update folders set name = 'Sjældenhed' where id = ${to.shared}`.execute(test.db)
    await indexFiles(test.db)
    expect(namesOf(await ask('sjældenhed flyttelasset'))).toEqual(['Vandrer.pdf'])
  })

  it('does not find a deleted file, and keeps no word of one that is gone', async () => {
    const { shared } = await makeScene()
    const id = await makePaper(shared, 'Forsvinder.pdf', 'Et unikumord.')
    await indexFiles(test.db)
    await sql`update files set deleted_at = now() where id = ${id}`.execute(test.db)
    expect(namesOf(await ask('unikumord'))).toEqual([])
    await sql`update files set deleted_at = null where id = ${id}`.execute(test.db)
    expect(namesOf(await ask('unikumord'))).toEqual(['Forsvinder.pdf'])
    const wordsLike = () => sql`select word from words where word like 'unikum%'`.execute(test.db)
    await forgetWords(test.db)
    expect((await wordsLike()).rows).toHaveLength(1)
    await sql`delete from files where id = ${id}`.execute(test.db)
    await forgetWords(test.db)
    expect((await wordsLike()).rows).toEqual([])
  })

  it('a file stays in the queue while its words are read', async () => {
    const { shared } = await makeScene()
    const id = await makePaper(shared, 'Først.pdf', 'x')
    const real = test.db.transaction.bind(test.db)
    test.db.transaction = () => {
      test.db.transaction = real
      return {
        execute: async (work: Parameters<ReturnType<typeof real>['execute']>[0]) => {
          await sql`update files set name = 'Derefter.pdf' where id = ${id}`.execute(test.db)
          return real().execute(work)
        },
      } as ReturnType<typeof real>
    }
    await indexFiles(test.db)
    expect(namesOf(await ask('derefter'))).toEqual(['Derefter.pdf'])
    const { rows } = await sql`select from unindexed_files`.execute(test.db)
    expect(rows).toHaveLength(0)
  })

  it('indexes all files again after a restore', async () => {
    const { shared } = await makeScene()
    await makePaper(shared, 'Genskabt.pdf', 'Et genskabelsesord.')
    await indexFiles(test.db)
    await sql`truncate file_words, words, unindexed_files`.execute(test.db)
    expect(namesOf(await ask('genskabelsesord'))).toEqual([])
    await wantWords(test.db)
    await indexFiles(test.db)
    expect(namesOf(await ask('genskabelsesord'))).toEqual(['Genskabt.pdf'])
  })
})

describe('a reader', () => {
  it('a search reveals nothing of papers that the reader does not see', async () => {
    const { investor, shared, hidden } = await makeScene()
    await makePaper(hidden, 'Skjult 2030.pdf', 'Den fortrolige kvartsklump koster 7.654.321 kr.')
    await makePaper(shared, 'Delt 2030.pdf', 'Kvartsklumb er stavet forkert her.')
    await indexFiles(test.db)
    for (const q of ['fortrolige', 'kvartsklump koster', '7654321', '"fortrolige kvartsklump"', 'skjult'])
      expect(await ask(q, investor)).toMatchObject({ files: [], total: 0, isMore: false, corrected: null })
    // The hidden paper has exactly this word, and yet it is corrected as if it did not exist.
    expect(await ask('kvartsklump', investor)).toMatchObject({ total: 1, corrected: 'kvartsklumb' })
    expect(await ask('kvartsklump', office)).toMatchObject({ total: 1, corrected: null })
    expect((await suggest(test.db, investor, 'kvartsklump')).files.map(({ name }) => name)).toEqual([
      'Delt 2030.pdf',
    ])
  })

  it('readers outside the office cannot search by sender', async () => {
    const { investor, shared } = await makeScene()
    await makePaper(shared, 'Afsender.pdf', 'Et afsenderord.')
    await indexFiles(test.db)
    expect((await ask('afsenderord', investor, { by: 99_999 })).total).toBe(1)
    expect((await ask('afsenderord', office, { by: 99_999 })).total).toBe(0)
  })
})

describe('a question', () => {
  it('a search may have only filters', async () => {
    const { shared, project } = await makeScene()
    await makePaper(shared, 'Gammel 1987.pdf', 'x')
    await makePaper(shared, 'Ny 1988.pdf', 'x')
    await indexFiles(test.db)
    const folder = (
      await sql<{ name: string }>`select name from folders where id = ${shared}`.execute(test.db)
    ).rows[0]!.name
    expect(namesOf(await ask('', office, { year: 1987 }))).toEqual(['Gammel 1987.pdf'])
    expect(namesOf(await ask('', office, { year: 1986 }))).toEqual([])
    expect(namesOf(await ask('', office, { project: project.id, folder }))).toEqual([
      'Gammel 1987.pdf',
      'Ny 1988.pdf',
    ])
    expect(namesOf(await ask('ny', office, { folder: 'Findes ikke' }))).toEqual([])
  })

  it('a search for anything is answered without an error', async () => {
    for (const q of [
      '%',
      "'",
      '\\',
      '_',
      '"',
      '""',
      '(((',
      '[a-z',
      'a'.repeat(200),
      '1'.repeat(200),
      '𝒳',
      '\u0000',
      '* AND 1=1',
      '"a b" "c d" e f',
      '1 2 3 4 5 6 7 8 9',
      '\ud800',
    ])
      for (const reader of [office, { id: 1, role: 'investor' as const }]) {
        await ask(q, reader)
        await suggest(test.db, reader, q)
      }
  })

  it('a phrase finds words together, with any punctuation between them', async () => {
    const { shared } = await makeScene()
    await makePaper(shared, 'Frase.pdf', 'Årets kulregnskab,\nresultatet den 31. december 2024.')
    await makePaper(shared, 'Ikke.pdf', 'Resultatet af kulregnskab: den december 31.')
    await indexFiles(test.db)
    for (const q of [
      '"kulregnskab resultatet"',
      '"årets kulregnskab"',
      '"kulregnskab resultatet den 31.12.2024"',
    ])
      expect([q, namesOf(await ask(q))]).toEqual([q, ['Frase.pdf']])
    expect((await ask('kulregnskab resultatet')).total).toBe(2)
  })
})

describe('a search in much text', () => {
  const PAGE = 'ord '.repeat(1000)
  const askWith = (q: string, look: Look) =>
    findFiles(test.db, office, { ...NO_FILTERS, q, page: 1 }, 'Europe/Copenhagen', look)
  const allowed = { letters: 20_000_000, ms: 600_000, clockMs: 600_000 }

  it('a search stops at a number of letters, says so, and has seen the first pages of every file by then', async () => {
    const { shared } = await makeScene()
    const pages = Array.from({ length: 130 }, () => PAGE)
    for (const name of ['Lang 1.pdf', 'Lang 2.pdf', 'Lang 3.pdf'])
      await makePaper(shared, name, `${name} Havtornsaft og brændenælder`, ...pages, 'Sidste havtornsaft')
    await makePaper(shared, 'Sidst.pdf', ...pages, 'Havtornsaft og brændenælder')
    await indexFiles(test.db)
    const few = () => new Look({ allowed: { ...allowed, letters: 4 * 50 * PAGE.length } })
    const word = await askWith('havtornsaft', few())
    expect(word).toMatchObject({ total: 4, isCut: true })
    expect(Object.fromEntries(word.files.map(({ name, pages: [first] }) => [name, first?.page]))).toEqual({
      'Lang 1.pdf': 1,
      'Lang 2.pdf': 1,
      'Lang 3.pdf': 1,
      'Sidst.pdf': undefined,
    })
    const phrase = await askWith('"havtornsaft og brændenælder"', few())
    expect([namesOf(phrase), phrase.isCut]).toEqual([['Lang 1.pdf', 'Lang 2.pdf', 'Lang 3.pdf'], true])
    const whole = await askWith('"havtornsaft og brændenælder"', new Look({ allowed }))
    expect([whole.total, whole.isCut]).toEqual([4, false])
  })

  it('a search does not block the main thread', async () => {
    const { shared } = await makeScene()
    const long = Array.from({ length: 100 }, (_, page) => `${PAGE.repeat(25)} vandmelon ${page}`)
    await makePaper(shared, 'Tung.pdf', ...long)
    const before = process.threadCpuUsage()
    await indexFiles(test.db)
    for (const q of ['vandmelon', '"vandmelon findes ikke"'])
      expect((await askWith(q, new Look({ allowed }))).isCut).toBe(false)
    // 30 million letters are unpacked and compared, which takes some seconds.
    const { user } = process.threadCpuUsage(before)
    expect(user / 1000).toBeLessThan(500)
  })

  it('a search ends when nobody waits for it', async () => {
    const gone = new AbortController()
    const look = new Look({ signal: gone.signal })
    const { shared } = await makeScene()
    await makePaper(shared, 'Afbrudt.pdf', ...Array.from({ length: 400 }, () => `${PAGE} bjergfyr`))
    await indexFiles(test.db)
    const asked = askWith('bjergfyr', look)
    gone.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('indexes a limited number of different words of a file', async () => {
    const { shared } = await makeScene()
    const word = (n: number) =>
      `q${n.toString(36).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}q`
    const pages = Array.from({ length: 80 }, (_, page) =>
      Array.from({ length: 1000 }, (__, n) => word(page * 1000 + n)).join(' '),
    )
    const id = await makePaper(shared, 'Ordrig.pdf', 'frostfri', ...pages)
    await indexFiles(test.db)
    const { rows } = await sql<{ length: number }>`
      select cardinality(words) as length from file_words where file_id = ${id}`.execute(test.db)
    expect(rows[0]!.length).toBeLessThan(61_000)
    expect(namesOf(await ask('frostfri'))).toEqual(['Ordrig.pdf'])
  })
})

it('finds synonyms of the trade, and does not correct a correct word', async () => {
  const { shared } = await makeScene()
  await makePaper(shared, 'Brev (1) 2024.pdf', 'Kvagga: Udlodningen udbetales i maj.')
  await makePaper(shared, 'Papir (3) 2024.pdf', 'Kvagga: årsrapporten er vedlagt. Anparterne udbydes.')
  await indexFiles(test.db)
  for (const q of ['kvagga udbytte', 'kvagga udlodning'])
    expect(await ask(q)).toMatchObject({ files: [{ name: 'Brev (1) 2024.pdf' }], corrected: null })
  for (const q of ['kvagga regnskab', 'kvagga arsrapport', 'kvagga årsrapport'])
    expect(await ask(q)).toMatchObject({ files: [{ name: 'Papir (3) 2024.pdf' }], corrected: null })
  expect(await ask('udbyttet 998877')).toMatchObject({ files: [], corrected: null })
})

it('finds the office’s own synonyms, and does not correct them', async () => {
  const { shared } = await makeScene()
  await makePaper(shared, 'Overslag (4) 2024.pdf', 'Okapi: overslagene for næste år.')
  await makePaper(shared, 'Papir (5) 2024.pdf', 'Okapi: et vurdus er vedlagt.')
  await indexFiles(test.db)
  const { visitor } = await enter(test, 'administrator')
  const save = (text: string) => visitor.post(urls.officeWords, { search_words: text }, { script: true })
  expect(await ask('okapi skønbudget')).toMatchObject({ files: [], corrected: null })
  expect(await ask('vurdas')).toMatchObject({ total: 1, corrected: 'vurdus' })

  expect((await save('Skønbudget, overslag\nvurdas, kvæstion')).json()).toEqual({ redirect: urls.office })
  for (const q of [
    'okapi skønbudget',
    'okapi skønbudgettet',
    'okapi skoenbudget',
    'skønbudgetter okapi',
    'okapi skønbudgettets',
  ])
    expect([q, namesOf(await ask(q))]).toEqual([q, ['Overslag (4) 2024.pdf']])
  const [found] = (await ask('okapi skønbudget')).files
  expect(found!.pages.map(({ page }) => page)).toEqual([1])
  expect(await ask('vurdas')).toMatchObject({ total: 0, corrected: null })

  const wrong = await save('Skønbudget')
  expect([wrong.statusCode, Object.keys(wrong.json<{ errors: object }>().errors)]).toEqual([
    422,
    ['search_words'],
  ])
  expect((await ask('okapi skønbudget')).total).toBe(1)
  await save('')
  expect((await ask('okapi skønbudget')).total).toBe(0)
  const { rows } = await sql<{ many: number }>`
    select count(*)::integer as many from log where act = 'search-words-changed'`.execute(test.db)
  expect(rows[0]!.many).toBe(2)
})
