import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../demo/demo-password.ts'
import { fillOffice } from '../../demo/office.ts'
import type { BoxAnswer, SearchList } from '../../src/search/answer/search-answer.ts'
import { urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { connectAsOwner } from '../database.ts'
import { placeOf, type Expected } from './search-expected.ts'
import { listPapers, type Paper } from './search-papers.ts'
import {
  READERS,
  QUESTIONS,
  SUGGESTED,
  type Kind,
  type Question,
  type ReaderName,
} from './search-questions.ts'
import { Visitor } from '../visitor.ts'

/** The least recall and precision of each kind. Names and numbers are exact; of words one in twenty may be missed. */
const LEAST: Record<Kind, number> = {
  name: 1,
  number: 1,
  word: 0.95,
  phrase: 0.95,
  compound: 0.95,
  stem: 0.95,
  spelling: 0.95,
  typo: 0.95,
  mixed: 0.95,
}

/** An answer shows at most this many pages of a file. */
const MOST_PAGES = 3

type Found = { id: number; pages: number[] }
type Answer = { files: Found[]; total: number; corrected: string | null }
type Score = { recall: number; precision: number; missed: string[]; wrong: string[] }

let test: TestApp
let papers: Paper[]
const visitors = new Map<ReaderName, Visitor>()

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '1000000', READ_DOCUMENTS: 'true' } })
  // The demo is filled before its log is protected.
  await using owner = await connectAsOwner(test.db)
  await fillOffice({ ...test, db: owner })
  papers = await listPapers(test)
  for (const [name, { email }] of Object.entries(READERS)) {
    const visitor = new Visitor(test.app)
    await visitor.signIn(`${email}@ringbind.example`, DEMO_PASSWORD)
    visitors.set(name as ReaderName, visitor)
  }
})

/** Waits until every paper is read and indexed. */
async function untilRead(): Promise<void> {
  await expect.poll(countUnread, { timeout: 600_000, interval: 500 }).toBe(0)
}

/** How many texts are still to be read, and files to be indexed. */
async function countUnread(): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select (select count(*) from texts where state = 'wanted')::integer
      + (select count(*) from unindexed_files)::integer as many`.execute(test.db)
  return rows[0]!.many
}

/** Asks the app, and turns all pages of the answer. */
async function ask(as: ReaderName, q: string): Promise<Answer> {
  const turnTo = async (page: number) =>
    (await getJson(as, `${urls.searchAnswers}?${query({ q, page: String(page) })}`)) as SearchList
  const first = await turnTo(1)
  const others = Array.from({ length: first.meta.last_page - 1 }, (_, index) => turnTo(index + 2))
  const lists = [first, ...(await Promise.all(others))]
  return {
    files: lists.flatMap(({ data }) =>
      data.map(({ id, pages }) => ({ id, pages: pages.map(({ page }) => page) })),
    ),
    total: first.meta.total,
    corrected: first.about.corrected,
  }
}

async function getJson(as: ReaderName, url: string): Promise<unknown> {
  const answer = await visitors.get(as)!.get(url)
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
  return answer.json()
}

const query = (fields: Record<string, string>) => String(new URLSearchParams(fields))

function score(question: Question, { files }: Answer): Score {
  const { finds, may, as = 'administrator' } = question
  const shown = new Map(files.map(({ id, pages }) => [id, pages]))
  const [missed, wrong]: [string[], string[]] = [[], []]
  let [wanted, hit, right] = [0, 0, 0]
  for (const paper of papers) {
    const expected = READERS[as].sees(paper) ? finds(paper) : NOT_FOUND
    const allowed = READERS[as].sees(paper) && may ? may(paper) : NOT_FOUND
    const pages = shown.get(paper.id)
    const room = Math.min(MOST_PAGES, expected.pages.length)
    if (expected.isFound) {
      wanted += 1 + room
      const met = Math.min(room, (pages ?? []).filter((page) => expected.pages.includes(page)).length)
      hit += pages ? 1 + met : 0
      if (!pages) missed.push(placeOf(paper))
      else if (met < room) missed.push(`${placeOf(paper)}#${expected.pages.join()}, not #${pages.join()}`)
    }
    if (!pages) continue
    const isRight = expected.isFound || allowed.isFound
    const fine = [...expected.pages, ...expected.morePages, ...allowed.pages, ...allowed.morePages]
    const finePages = pages.filter((page) => isRight && fine.includes(page))
    right += isRight ? 1 + finePages.length : 0
    if (!isRight) wrong.push(placeOf(paper))
    else if (finePages.length < pages.length)
      wrong.push(`${placeOf(paper)}#${pages.join()}, not #${fine.join()}`)
  }
  const all = files.reduce((sum, { pages }) => sum + 1 + pages.length, 0)
  return { recall: wanted === 0 ? 1 : hit / wanted, precision: all === 0 ? 1 : right / all, missed, wrong }
}

const NOT_FOUND: Expected = { isFound: false, pages: [], morePages: [] }

describe('the questions', () => {
  it('the search questions are many, of every kind, each asked once, and each has an answer', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(80)
    expect(new Set(QUESTIONS.map(({ kind }) => kind))).toEqual(new Set(Object.keys(LEAST)))
    expect(new Set(QUESTIONS.map(({ ask: q, as }) => `${as}: ${q}`)).size).toBe(QUESTIONS.length)
    for (const { ask: q, as = 'administrator', finds, findsNothing = false } of QUESTIONS) {
      const some = papers.filter((paper) => READERS[as].sees(paper) && finds(paper).isFound)
      expect([as, q, some.length === 0]).toEqual([as, q, findsNothing])
    }
  })

  it('the search questions are answered as the office expects', { timeout: 900_000 }, async () => {
    await untilRead()
    const scores = new Map<Question, Score>()
    const faults: string[] = []
    for (const question of QUESTIONS) {
      const { ask: q, as = 'administrator', corrected } = question
      const answer = await ask(as, q)
      scores.set(question, score(question, answer))
      if (answer.total !== answer.files.length)
        faults.push(`${as}: ${q} counts ${answer.total}, not ${answer.files.length}`)
      if (corrected !== undefined && answer.corrected !== corrected)
        faults.push(`${as}: ${q} is mended to ${answer.corrected}, not ${corrected}`)
      if (question.findsNothing && answer.files.length > 0) faults.push(`${as}: ${q} must find nothing`)
    }
    console.log(table(scores))
    for (const [kind, least] of Object.entries(LEAST)) {
      const { recall, precision } = meanOf(kind as Kind, scores)
      if (recall < least || precision < least)
        faults.push(
          `${kind}: recall ${percent(recall)}, precision ${percent(precision)}, at least ${percent(least)}`,
        )
    }
    expect(faults).toEqual([])
  })

  it(
    'the search suggests projects, people and folders by their names and numbers',
    { timeout: 900_000 },
    async () => {
      await untilRead()
      const wrong: string[] = []
      for (const { ask: q, as = 'administrator', projects, people, folders } of SUGGESTED) {
        const offered = (await getJson(as, `${urls.suggestions}?${query({ q })}`)) as BoxAnswer
        const compare = (what: string, is: string[], wanted: string[] | undefined) => {
          if (wanted && is.toSorted().join() !== wanted.toSorted().join())
            wrong.push(`${as}: ${q} offers the ${what} ${is.join(', ')}; wanted: ${wanted.join(', ')}`)
        }
        const names = (some: { name: string }[]) => [...new Set(some.map(({ name }) => name))]
        const numbers = offered.projects.map(({ number }) => number)
        compare('projects', numbers, projects)
        compare('people', names(offered.people), people)
        compare('folders', names(offered.folders), folders)
      }
      expect(wrong).toEqual([])
    },
  )
})

function meanOf(kind: Kind, scores: Map<Question, Score>) {
  const some = [...scores].filter(([question]) => question.kind === kind).map(([, one]) => one)
  const mean = (which: 'recall' | 'precision') => some.reduce((sum, one) => sum + one[which], 0) / some.length
  return { many: some.length, recall: mean('recall'), precision: mean('precision') }
}

/** Rounded down: 100 % is all of it. */
const percent = (share: number) => `${(Math.floor(1000 * share) / 10).toFixed(1)} %`

/** Prints the score of each kind, and for each question with a wrong answer, what is missing and what is too much. */
function table(scores: Map<Question, Score>): string {
  const kinds = Object.keys(LEAST).map((kind) => {
    const { many, recall, precision } = meanOf(kind as Kind, scores)
    return `${kind.padEnd(9)} ${String(many).padStart(3)} questions  recall ${percent(recall)}  precision ${percent(precision)}`
  })
  const some = (places: string[]) =>
    `${places.slice(0, 4).join(' | ')}${places.length > 4 ? ` … ${places.length} in all` : ''}`
  const faults = [...scores]
    .filter(([, { recall, precision }]) => recall < 1 || precision < 1)
    .map(([{ ask: q, kind, as = 'administrator' }, { recall, precision, missed, wrong }]) =>
      [
        `${kind}, ${as}: ${q}  (recall ${percent(recall)}, precision ${percent(precision)})`,
        ...(missed.length > 0 ? [`  misses ${some(missed)}`] : []),
        ...(wrong.length > 0 ? [`  wrongly finds ${some(wrong)}`] : []),
      ].join('\n'),
    )
  return [...kinds, ...faults].join('\n')
}
