import { cleanLine } from '../../base/text.ts'
import { MOST_WORD_LETTERS } from '../../office/office.ts'
import { fold } from '../words/tokens.ts'
import { keyOf } from './synonyms.ts'

const MOST_LINES = 200
const MOST_WORDS = 10
const LONGEST_WORD = 40
/** So that a word has at most 27 others, which each search for it looks for. */
const MOST_LINES_OF_WORD = 3
const MOST_FAULTS = 5

/** Words that mean the same. */
export type OwnGroups = string[][]

/** Reads the office's synonyms: a line for each meaning, commas between its words. Returns the faults in Danish. */
export function readOwnWords(text: string): { groups: OwnGroups; faults: string[] } {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line, index) => {
    const clean = cleanLine(line)
    return clean === '' ? [] : [{ line: clean, number: index + 1 }]
  })
  if (lines.length > MOST_LINES) return { groups: [], faults: [`Skriv højst ${MOST_LINES} linjer.`] }
  const groups = lines.map(({ line }) => line.split(',').map((word) => word.trim()))
  if (writeOwnWords(groups).length > MOST_WORD_LETTERS) return { groups: [], faults: [TOO_LONG] }
  const faults = groups.flatMap((words, index) => {
    const fault = faultOf(words)
    return fault === null ? [] : [`Linje ${lines[index]!.number}: ${fault}`]
  })
  return { groups, faults: [...faults, ...tooOften(groups)].slice(0, MOST_FAULTS) }
}

export const TOO_LONG = `Ordene må i alt højst fylde ${MOST_WORD_LETTERS} tegn.`

function faultOf(words: string[]): string | null {
  if (words.includes('')) return 'Der mangler et ord ved et komma.'
  const wrong = words.find((word) => !/^\p{L}[\p{L}\p{M}]+$/u.test(word))
  if (wrong !== undefined)
    return `”${cut(wrong)}” er ikke ét ord. Brug kun bogstaver, og sæt komma mellem ordene.`
  const long = words.find((word) => word.length > LONGEST_WORD)
  if (long !== undefined) return `”${cut(long)}” er for langt. Et ord må højst være på ${LONGEST_WORD} tegn.`
  if (words.length > MOST_WORDS) return `Skriv højst ${MOST_WORDS} ord.`
  if (new Set(words.map(fold)).size < words.length)
    return words.length === 2 ? 'Skriv to forskellige ord.' : 'Det samme ord står der to gange.'
  return words.length < 2 ? 'Skriv mindst to ord med komma imellem, for eksempel ”udbytte, udlodning”.' : null
}

function tooOften(groups: OwnGroups): string[] {
  const counts = new Map<string, { word: string; lines: number }>()
  for (const words of groups)
    for (const [key, word] of new Map(words.map((each) => [keyOf(fold(each)), each])))
      counts.set(key, { word, lines: (counts.get(key)?.lines ?? 0) + 1 })
  return [...counts.values()]
    .filter(({ lines }) => lines > MOST_LINES_OF_WORD)
    .map(({ word }) => `”${cut(word)}” må højst stå på ${MOST_LINES_OF_WORD} linjer.`)
}

const cut = (word: string) => (word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word)

/** [['a', 'b']] becomes 'a, b'. */
export const writeOwnWords = (groups: OwnGroups) => groups.map((words) => words.join(', ')).join('\n')
