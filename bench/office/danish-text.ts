import {
  ADJECTIVES,
  FIRST_NAMES,
  NOUNS,
  PLACE_ENDS,
  PLACE_STARTS,
  PREFIXES,
  SMALL_WORDS,
  VERBS,
} from './danish-words.ts'

const WORDS_A_PAGE = 350
const LINE = 78
/** One word in this many is misspelt, as in letters and scans. */
const MISSPELT = 1500
const MONTHS = 'januar februar marts april maj juni juli august september oktober november december'.split(
  ' ',
)

/**
 * Returns a page of text that looks like Danish business papers: not grammar, but words that are as frequent, as bent and
 * as put together as in real text, so that new words keep coming. The same page and seed give the same text.
 */
export function danishPage(page: number, seed = 1): string {
  const random = randomFrom(seed * 1_000_003 + page)
  const lines = [
    `${capital(noun(random))} ${year(random)}`,
    `K/S ${place(random)} ${capital(compound(random))}`,
    '',
  ]
  let line = ''
  const put = (word: string) => {
    if (line.length + word.length >= LINE) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  const turn = () => {
    if (line !== '') lines.push(line)
    line = ''
  }
  let words = 0
  while (words < WORDS_A_PAGE) {
    const kind = random()
    if (kind < 0.06) {
      turn()
      lines.push(tableRow(random))
      words += 3
      continue
    }
    const length = 6 + Math.floor(random() * 14)
    for (let nth = 0; nth < length; nth++) {
      const word = misspelt(nextWord(random), random)
      const end = nth === length - 1 ? '.' : random() < 0.06 ? ',' : ''
      put((nth === 0 ? capital(word) : word) + end)
    }
    words += length
    if (kind > 0.85) {
      turn()
      lines.push('')
    }
  }
  turn()
  return lines.join('\n')
}

type Random = () => number

/** Mulberry32: fast, and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}

const TABLE = 1 << 14

/** Returns a way to draw from a list so that the word at place r comes about 1 / (r + shift) of the time (Zipf's law). */
function zipf<T>(words: readonly T[], shift: number): (random: Random) => T {
  const weights = words.map((_, rank) => 1 / (rank + shift))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const table: T[] = []
  let until = 0
  for (const [rank, weight] of weights.entries()) {
    until += (weight / sum) * TABLE
    while (table.length < Math.round(until)) table.push(words[rank]!)
  }
  return (random) => table[Math.floor(random() * table.length)]!
}

/** Mixes a list, the same way each time, so that the commonest words are of all kinds. */
function mixed<T>(list: T[]): T[] {
  const random = randomFrom(7)
  return list
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

type Noun = { stem: string; link: string; forms: string[] }

const ALL_NOUNS: Noun[] = mixed(
  NOUNS.flatMap(({ stems, endings: [definite, plural, plurals] }) =>
    [...new Set(stems)].map((stem) => {
      const endings =
        stem.endsWith('er') && definite === 'n' ? ['en', 'e', 'ne'] : [definite, plural, plurals]
      const forms = ['', ...endings].map((ending) => bend(stem, ending))
      return { stem, link: linkOf(stem), forms: [...forms, ...forms.map((form) => `${form}s`)] }
    }),
  ),
)

/** `have` and `en` become `haven`. */
function bend(stem: string, ending: string): string {
  return stem.endsWith('e') && ending.startsWith('e') ? stem + ending.slice(1) : stem + ending
}

/** The letter between the parts of a compound: `forsikringssum`, `årsrapport`, `lejekontrakt`. */
function linkOf(stem: string): string {
  if (/(?:ing|hed|skab|tion|sion|else|dom|tet|år)$/.test(stem)) return 's'
  return stem.endsWith('e') || stem.length % 3 > 0 ? '' : 's'
}

const VERB_FORMS = mixed([...VERBS, ...PREFIXES.flatMap((prefix) => VERBS.map((verb) => prefix + verb))]).map(
  (verb) => ['er', 'e', 'ede', 'et', 'es', 'te', 'ning', 'ende', 'ningen'].map((ending) => verb + ending),
)
const ADJECTIVE_FORMS = mixed(ADJECTIVES).map((word) => {
  const endings = /(?:e|et|sk)$/.test(word) ? ['', 'e'] : ['', 'e', 't', 'ere', 'est']
  return endings.map((ending) => bend(word, ending))
})
const PLACES = mixed(PLACE_STARTS.flatMap((start) => PLACE_ENDS.map((end) => start + end)))

const smallWord = zipf([...new Set(SMALL_WORDS)], 2.2)
const anyNoun = zipf(ALL_NOUNS, 12)
const anyPart = zipf(ALL_NOUNS, 40)
const anyForm = zipf([0, 1, 2, 3, 5, 4, 7, 6], 0.9)
const anyVerb = zipf(VERB_FORMS, 15)
const anyAdjective = zipf(ADJECTIVE_FORMS, 6)
const place = zipf(PLACES, 20)
const firstName = zipf(FIRST_NAMES, 5)

const noun = (random: Random) => anyNoun(random).forms[anyForm(random)]!

/** How often compounds come again: few are common, and there is no end of rare ones (Heaps' law). */
const [COMMON_COMPOUNDS, COMPOUND_TAIL] = [300, 0.54]

/** The rank that is drawn says which compound it is. */
function compound(random: Random): string {
  const rank = Math.floor(COMMON_COMPOUNDS * (random() ** (-1 / COMPOUND_TAIL) - 1))
  const parts = randomFrom(rank % 4_294_967_291)
  const [first, last] = [anyPart(parts), anyPart(parts)]
  const more = parts() < 0.12 ? `${anyPart(parts).stem}s` : ''
  return first.stem + first.link + more + last.forms[anyForm(random)]!
}

const oneOf = (forms: string[], random: Random) => forms[Math.floor(random() * random() * forms.length)]!

function nextWord(random: Random): string {
  const kind = random()
  if (kind < 0.46) return smallWord(random)
  if (kind < 0.66) return noun(random)
  if (kind < 0.77) return oneOf(anyVerb(random), random)
  if (kind < 0.85) return oneOf(anyAdjective(random), random)
  if (kind < 0.93) return compound(random)
  if (kind < 0.96) return random() < 0.5 ? place(random) : `${firstName(random)} ${surname(random)}`
  return number(random)
}

const SURNAMES = [
  'Jensen',
  'Nielsen',
  'Hansen',
  'Pedersen',
  'Andersen',
  'Christensen',
  'Larsen',
  'Sørensen',
  'Møller',
]

const surname = (random: Random) =>
  random() < 0.5 ? SURNAMES[Math.floor(random() * SURNAMES.length)]! : place(random)

const year = (random: Random) => 2000 + Math.floor(random() * 26)

function number(random: Random): string {
  const kind = random()
  if (kind < 0.3) return String(year(random))
  if (kind < 0.5) return String(1 + Math.floor(random() * 99))
  if (kind < 0.7)
    return `${1 + Math.floor(random() * 28)}. ${MONTHS[Math.floor(random() * 12)]} ${year(random)}`
  return amount(random)
}

/** '1.234.567', '46.581,25': as often in millions as in thousands. */
function amount(random: Random): string {
  const value = Math.floor(10 ** (3 + random() * 5))
  const whole = String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return random() < 0.3 ? `${whole},${String(Math.floor(random() * 100)).padStart(2, '0')}` : whole
}

const tableRow = (random: Random) => `${capital(compound(random))} ${amount(random)} ${amount(random)}`

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function misspelt(word: string, random: Random): string {
  if (random() >= 1 / MISSPELT || word.length < 5) return word
  const at = 1 + Math.floor(random() * (word.length - 2))
  const letter = 'etnrsadil'[Math.floor(random() * 9)]!
  return word.slice(0, at) + (random() < 0.5 ? '' : letter) + word.slice(at + 1)
}
