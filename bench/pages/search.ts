import { urls } from '../../src/urls.ts'
import { danishPage } from '../office/danish-text.ts'
import type { Sizes } from '../office/files-office.ts'
import type { Asked } from '../measure/asked.ts'
import { median, type Result } from '../measure/result.ts'
import {
  openSearchOffice,
  READER_NAMES,
  type ReaderName,
  type SearchOffice,
} from '../office/search-office.ts'

const WARM_UPS = 2
const ROUNDS = 15
/** Searches slower than this are repeated fewer times. */
const ENOUGH_MS = 10_000
const MOST_RATIO = 3
const MOST_SUGGEST_MS = 50
const MOST_SIZE = 1.5

const office = (projects: number, folders: number): Sizes =>
  Array.from({ length: projects }, () => Array.from({ length: folders }, () => 5))

/** 10,000 files with 1,000 pages of text; 100,000 with 10,000; and 1,000,000 with 100,000, which takes an hour. */
const [SMALL, LARGE, LARGEST] = [office(500, 4), office(1000, 20), office(10_000, 20)]

/** Compares questions of every kind and reader in a small and in a large office. */
export async function measure({ isLarge }: Asked): Promise<Result[]> {
  const sizes = isLarge ? LARGEST : LARGE
  await using small = await openSearchOffice(SMALL)
  await using large = await openSearchOffice(sizes)
  const files = sizes.flat().reduce((sum, each) => sum + each, 0)
  const results: Result[] = [
    tellFiles(files),
    tellText(large),
    tellIndexing(large),
    ...(await measureSize(large)),
  ]
  const questions = [await questionsOf(small), await questionsOf(large)] as const
  for (const kind of Object.keys(questions[0]))
    results.push(await compareReaders(kind, [small, questions[0][kind]!], [large, questions[1][kind]!]))
  for (const reader of READER_NAMES) results.push(await measureTyping(reader, small, large))
  return results
}

/** Returns a question of each kind. What is rare in one office may be common in the other, so each has its own. */
async function questionsOf({ words, sql }: SearchOffice): Promise<Record<string, string>> {
  const rare = [...words.pages].find(([word, pages]) => pages === 1 && word.length > 8)![0]
  const text = danishPage(77)
  const { rows } = await sql.query<{ name: string; number: string }>(
    `select files.name, projects.number from files join folders on folders.id = files.folder_id
     join projects on projects.id = folders.project_id where files.id = 5000`,
  )
  const { name, number } = rows[0]!
  return {
    'a rare word': rare,
    'a common word': 'kontrakt',
    'a word of every page': 'og',
    'a part of compounds': 'forsikring',
    'a typing error': 'forsikrng',
    'an amount': /\d{1,3}\.\d{3}\.\d{3}/.exec(text)![0],
    'a year': '2014',
    'a rare phrase': `"${/\p{L}{5,} \p{L}{5,} \p{L}{5,}/u.exec(text)![0]}"`,
    'a common phrase': '"til den"',
    'two common words': 'kontrakt betaling',
    'a common and a rare word': `kontrakt ${rare}`,
    'the name of a file': name,
    'a project and a word': `${number} årsrapport`,
    'nothing found': 'xylofonmusikken',
  }
}

async function compareReaders(
  kind: string,
  [small, ofSmall]: [SearchOffice, string],
  [large, ofLarge]: [SearchOffice, string],
): Promise<Result> {
  const pathOf = (q: string) => `${urls.searchAnswers}?${String(new URLSearchParams({ q }))}`
  const all: { reader: ReaderName; times: [number, number]; ratio: number }[] = []
  for (const reader of READER_NAMES) {
    const times = await inTurns([
      () => small.ask(reader, pathOf(ofSmall)),
      () => large.ask(reader, pathOf(ofLarge)),
    ])
    all.push({ reader, times, ratio: times[1] / times[0] })
    const { body } = await large.ask(reader, pathOf(ofLarge))
    const { total } = (JSON.parse(body) as { meta: { total: number } }).meta
    console.error(
      `  ${kind}, ${reader}: ${times[0].toFixed(1)} → ${times[1].toFixed(1)} ms, ${total} found (${ofLarge})`,
    )
  }
  const { reader, times } = all.toSorted((a, b) => b.ratio - a.ratio)[0]!
  return {
    what: `search, ${kind}`,
    value: times[1],
    unit: 'ms',
    note: `at worst, ${reader}`,
    limit: { what: 'the small office', value: times[0] },
    aim: { times: MOST_RATIO },
    family: 'questions of every kind and reader',
  }
}

/** Texts that somebody types, letter by letter. */
const TYPED = ['lejekontrakt', 'forsikring 2014', 'årsrapport 1005']

async function measureTyping(reader: ReaderName, small: SearchOffice, large: SearchOffice): Promise<Result> {
  const times: [number[], number[]] = [[], []]
  for (const typed of TYPED)
    for (let letters = 1; letters <= typed.length; letters++) {
      const path = `${urls.suggestions}?${String(new URLSearchParams({ q: typed.slice(0, letters) }))}`
      const each = await inTurns([() => small.ask(reader, path), () => large.ask(reader, path)], 5)
      times[0].push(each[0])
      times[1].push(each[1])
      console.error(
        `  ${typed.slice(0, letters)}, ${reader}: ${each[0].toFixed(1)} → ${each[1].toFixed(1)} ms`,
      )
    }
  const [ofSmall, ofLarge] = [median(times[0]), median(times[1])]
  return {
    what: `suggestions while typing, ${reader}`,
    value: ofLarge,
    unit: 'ms',
    note: `at most ${Math.max(...times[1]).toFixed(1)}`,
    limit: { what: 'the small office', value: ofSmall },
    aim: { times: MOST_RATIO, value: MOST_SUGGEST_MS },
    family: 'suggestions while typing',
  }
}

/** Returns the median time of both. They take turns. */
async function inTurns(
  asks: [() => Promise<{ ms: number }>, () => Promise<{ ms: number }>],
  rounds = ROUNDS,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  const end = performance.now() + ENOUGH_MS
  for (let round = 0; round < WARM_UPS + rounds; round++) {
    if (round > WARM_UPS && performance.now() > end) break
    for (const [index, ask] of asks.entries()) {
      const { ms } = await ask()
      if (round >= WARM_UPS) times[index === 0 ? 0 : 1].push(ms)
    }
  }
  return [median(times[0]), median(times[1])]
}

function tellFiles(files: number): Result {
  return { what: 'files of the large office; the small one has 10,000', value: files, unit: 'files' }
}

function tellText({ words }: SearchOffice): Result {
  const once = [...words.pages.values()].filter((pages) => pages === 1).length
  return {
    what: 'the text of the large office',
    value: words.total,
    unit: 'words',
    note: `${many(words.pages.size)} different, ${many(once)} of them on one page`,
  }
}

function tellIndexing({ indexSeconds }: SearchOffice): Result {
  return {
    what: 'writing down the words of all files',
    value: indexSeconds,
    unit: 's',
  }
}

async function measureSize({ sql, words: { bytes: text } }: SearchOffice): Promise<Result[]> {
  const { rows } = await sql.query<{ texts: string; files: string; words: string }>(`
    select pg_total_relation_size('texts') + pg_total_relation_size('page_texts') as texts,
      pg_total_relation_size('file_words') as files, pg_total_relation_size('words') as words`)
  const [texts, files, words] = Object.values(rows[0]!).map(Number) as [number, number, number]
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  return [
    {
      what: 'text and index, names of all files included',
      value: (texts + files + words) / 1e6,
      unit: 'MB',
      note: `texts ${mb(texts)}, words of files ${mb(files)}, words ${mb(words)}`,
      limit: { what: 'the text', value: text / 1e6 },
      aim: { times: MOST_SIZE },
    },
  ]
}

const many = (number: number) => number.toLocaleString('en')
