import { wordsOf } from '../../base/folded-words.ts'
import type { PaperLine } from './paper-lines.ts'

/**
 * A model of the office's own papers: how many of each folder's papers have a word. It is small, rebuilt in seconds,
 * and every answer can be explained by its words.
 */
export type WordModel = {
  papers: number
  /** Folder names as compared; `PERSON` for people's own. */
  folders: { key: string; papers: number }[]
  /** For each word, how many papers of each folder have it. */
  words: Record<string, number[]>
}

/** Stands for the files of all people. */
export const PERSON = '@person'

/** How much a paper looks like those of a folder, from 0 to 1, and the words that say so. */
export type Likeness = {
  key: string
  share: number
  words: string[]
  /** Several words say so that hardly another folder's papers have, one of them among the first lines. */
  isConvincing: boolean
}

/** A word is typical of a folder if this many of its papers have it, and this much more often than others. */
const TELLING_PAPERS = 4
const TELLING_SHARE = 0.06
const TELLING_TIMES = 8

/** Words of fewer papers say nothing; of more words only the most telling are kept. */
const LEAST_PAPERS = 2
const MOST_WORDS = 6000
/** A folder with fewer papers is not known yet. */
const LEAST_IN_FOLDER = 5
const MOST_OF_A_PAPER = 250
/** Words of a paper are not independent, so each counts for less than it would, and common ones for next to nothing. */
const WEIGHT = 0.9
/** Words of the first lines count by themselves too: a title says more than a text. */
const FIRST_LINES = 10
/** 'Strandvejen 12' or '8000 Aarhus C'. */
const ADDRESS = /^\p{Lu}[\p{L}. ]+ \d{1,3} ?\p{Lu}?(?:,.*)?$|^(?:DK-?)?\d{4} \p{Lu}/u

/**
 * Returns the words of a paper that the model knows it by: those of its first page, once each, without names of projects
 * and people, which say nothing of the folder. '^' marks those of the first lines.
 */
export function modelWords(lines: readonly PaperLine[], names: readonly { said: string }[]): string[] {
  const left = new Set(names.flatMap(({ said }) => wordsOf(said).map(({ folded }) => folded)))
  const words = new Set<string>()
  const first = lines[0]?.page
  for (const line of lines) {
    if (line.page !== first || words.size >= MOST_OF_A_PAPER) break
    for (const { folded } of line.words) {
      if (!/^[a-z]{3,30}$/.test(folded) || left.has(folded)) continue
      words.add(folded)
      if (line.at < FIRST_LINES && !ADDRESS.test(line.text)) words.add(`^${folded}`)
    }
  }
  return [...words]
}

export function trainModel(papers: readonly { key: string; words: readonly string[] }[]): WordModel {
  const counts = new Map<string, number>()
  for (const { key } of papers) counts.set(key, (counts.get(key) ?? 0) + 1)
  const folders = [...counts]
    .filter(([, count]) => count >= LEAST_IN_FOLDER)
    .map(([key, count]) => ({ key, papers: count }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const place = new Map(folders.map(({ key }, index) => [key, index]))
  const words = new Map<string, number[]>()
  for (const { key, words: own } of papers) {
    const at = place.get(key)
    if (at === undefined) continue
    for (const word of own) {
      const row = words.get(word) ?? folders.map(() => 0)
      row[at]!++
      words.set(word, row)
    }
  }
  const kept = [...words]
    .filter(([, row]) => row.reduce((sum, count) => sum + count, 0) >= LEAST_PAPERS)
    .map(([word, row]) => ({
      word,
      row,
      worth: tellingOf(row, folders) * row.reduce((sum, count) => sum + count, 0),
    }))
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS)
  return {
    papers: folders.reduce((sum, folder) => sum + folder.papers, 0),
    folders,
    words: Object.fromEntries(kept.map(({ word, row }) => [word, row])),
  }
}

/** How much a word tells: 0 if all folders' papers have it as often, 1 if one folder's alone have it. */
function tellingOf(row: readonly number[], folders: WordModel['folders']): number {
  const rates = ratesOf(row, folders)
  const sum = rates.reduce((total, each) => total + each, 0)
  const entropy = -rates.reduce((total, each) => total + (each / sum) * Math.log(each / sum), 0)
  return 1 - entropy / Math.log(rates.length)
}

/** How often each folder's papers have a word. A folder of few papers is taken to be much like all of them. */
function ratesOf(row: readonly number[], folders: WordModel['folders']): number[] {
  const overall = (sumOf(row) + 0.1) / sumOf(folders.map(({ papers }) => papers))
  return row.map((count, index) => (count + LIKE_ALL * overall) / (folders[index]!.papers + LIKE_ALL))
}

const LIKE_ALL = 3
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)
const rate = (count: number, papers: number) => (count + 0.3) / (papers + 1)

/** Compares a paper with what each folder has, the most alike first. */
export function findLikeness(model: WordModel, own: readonly string[]): Likeness[] {
  const words = own.filter((word) => Object.hasOwn(model.words, word))
  if (words.length === 0 || model.folders.length < 2) return []
  const weighed = words.map((word) => {
    const row = model.words[word]!
    const weight = WEIGHT * tellingOf(row, model.folders)
    return ratesOf(row, model.folders).map((each) => weight * Math.log(each))
  })
  const scores = model.folders.map((_, index) => sumOf(weighed.map((of) => of[index]!)))
  const best = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - best))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return model.folders
    .map(({ key }, index) => ({ key, share: shares[index]! / total, ...strongest(model, words, index) }))
    .sort((a, b) => b.share - a.share)
}

/** The words that speak most for a folder, compared with all others. */
function strongest(
  model: WordModel,
  words: string[],
  index: number,
): Pick<Likeness, 'words' | 'isConvincing'> {
  const folder = model.folders[index]!
  const weighed = words
    .map((word) => {
      const row = model.words[word]!
      const all = row.reduce((sum, count) => sum + count, 0)
      const elsewhere = rate(all - row[index]!, model.papers - folder.papers)
      return { word, own: row[index]!, times: rate(row[index]!, folder.papers) / elsewhere }
    })
    .filter(({ times }) => times > 2)
    .sort((a, b) => b.times - a.times)
  const plain = (each: { word: string }) => each.word.replace('^', '')
  const tells = weighed.filter(
    ({ own, times }) =>
      own >= Math.max(TELLING_PAPERS, folder.papers * TELLING_SHARE) && times >= TELLING_TIMES,
  )
  const all = new Set(tells.map(({ word }) => word))
  // A common word may only by chance stand among the first lines of a few.
  const telling = tells.filter((each) => all.has(plain(each)))
  return {
    words: [...new Set((telling.length > 0 ? telling : weighed).map(plain))].slice(0, 3),
    isConvincing: new Set(telling.map(plain)).size > 1 && telling.some(({ word }) => word.startsWith('^')),
  }
}
