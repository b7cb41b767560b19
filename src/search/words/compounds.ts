import { PARTS } from './compound-parts.ts'
import { fold } from './tokens.ts'

/** Longer words need no list: they are hardly ever contained by chance. */
const LONG = 5
const SHORTEST_PART = 3
/** Letters between the parts of a compound: års-rapport, skatte-styrelse, kunde-n. */
const LINKS = ['', 's', 'e', 'es', 'te', 'er', 'n', 'en', 'et', 'r']

/** Whether a word is made of the asked one and others. */
export function isCompoundOf(asked: string, word: string, cores = coresOf(asked)): boolean {
  for (const core of cores)
    for (let from = word.indexOf(core); from !== -1; from = word.indexOf(core, from + 1))
      if (isPartAt(core, word, from, core !== asked)) return true
  return false
}

const coresOf = (asked: string) =>
  [...new Set([asked, withoutEnding(asked)])].filter(({ length }) => length >= SHORTEST_PART)

function withoutEnding(word: string): string {
  return /^(.{3,}?)(?:ernes|enes|erne|ens|ets|ers|ene|en|et|er|es|e|s)$/.exec(word)?.[1] ?? word
}

/**
 * Whether a longer part stands there: `formand` is no form and duck, `rapport` has no port, `kontorhus` no konto. The -ering
 * of regulering has no ring.
 */
function isInsidePart(core: string, word: string, from: number, isCut: boolean): boolean {
  const to = from + core.length
  for (let end = to + 1; end <= word.length; end++)
    if (PARTS.has(word.slice(from, end)) && !(isCut && isEnding(word.slice(to, end)))) return true
  if (core.length >= LONG) return false
  if (core === 'ring' && word[from - 1] === 'e') return true
  for (let start = from - 1; start >= 0; start--) if (PARTS.has(word.slice(start, to))) return true
  return false
}

function isPartAt(core: string, word: string, from: number, isCut: boolean): boolean {
  if (isInsidePart(core, word, from, isCut)) return false
  const before = word.slice(0, from)
  const after = word.slice(from + core.length)
  const endsHere = isEndingAt(word, from + core.length) || DERIVED_ENDINGS.has(after)
  const isShort = core.length < LONG
  if (endsHere && before !== '')
    return isShort ? endsWithPart(before) || (PARTS.has(core) && mayBePart(before)) : before.length >= 2
  if (before !== '' && !(isShort ? endsWithPart(before) : before.length >= 2)) return false
  if (endsHere) return false
  return isShort ? startsWithPart(after) : after.length >= SHORTEST_PART || startsWithPart(after)
}

/** Whether a text may be a separate word: Kyst-banken, Tank-skib. */
const mayBePart = (text: string) => text.length >= 4 && /[aeiouy]/.test(text)

const ENDINGS = new Set(
  'e en et er ene erne ens ets ers s es ernes enes t te de d ede ende n ne nes ns r re rne rnes rs ing inger ingen ning ninger ningen'.split(
    ' ',
  ),
)
const isEnding = (text: string) => text === '' || ENDINGS.has(text)

/** Whether a word ends or continues here as words do: it may double a consonant, as skat and skatter. */
export function isEndingAt(word: string, at: number): boolean {
  const rest = word.slice(at)
  return isEnding(rest) || (rest[0] === word[at - 1] && isEnding(rest.slice(1)))
}

/** Forms of another word, which look like those of `and` and `gæld`. */
export const NO_FORMS = new Set(['andet', 'andre', 'anden', 'gaelde', 'gaelder'])

/** Endings that make another word of one: sikker, sikkerhed. */
const DERIVED_ENDINGS = new Set(
  'hed heden heder hederne heds hedens ig ige igt lig lige ligt elig elige els ere eres ered erede eren erens erer eret erets erende endes løst'
    .split(' ')
    .map(fold),
)

/** Words that are made of others, and so stand before more: åbnings-brev, selskabs-ret. */
const DERIVED = /^.{2,}(?:ing|hed|skab|ion|itet|dom|else)s?$/
const PREFIXES = new Set(
  'af an bag be bi efter for fra frem gen hen ind ned om op over paa sam til ud under ved'.split(' '),
)

function endsWithPart(text: string): boolean {
  if (PREFIXES.has(text) || DERIVED.test(text)) return true
  return LINKS.some((link) => {
    if (!text.endsWith(link)) return false
    const rest = text.slice(0, text.length - link.length)
    for (let from = 0; from <= rest.length - 2; from++) if (PARTS.has(rest.slice(from))) return true
    return false
  })
}

function startsWithPart(text: string): boolean {
  return LINKS.some((link) => {
    if (!text.startsWith(link)) return false
    const rest = text.slice(link.length)
    for (let to = SHORTEST_PART; to <= rest.length; to++) if (PARTS.has(rest.slice(0, to))) return true
    return false
  })
}

const LISTED = [...PARTS].sort()
const LONGEST_PART = Math.max(...LISTED.map(({ length }) => length))

/** The beginnings by which a part is known inside a word: leje is in udlejning as lej, but lejer is not. */
const coresOfPart = (part: string) =>
  [part, ...(part.endsWith('e') ? [part.slice(0, -1)] : [])].filter(({ length }) => length >= SHORTEST_PART)

const BY_CORE = new Map<string, string[]>()
for (const part of LISTED)
  for (const core of coresOfPart(part)) BY_CORE.set(core, [...(BY_CORE.get(core) ?? []), part])

/** Returns the listed parts that a word is a form or a compound of. */
export function partsIn(word: string): string[] {
  const whole = partOf(word)
  const found = new Set(whole === null ? [] : [whole])
  for (let from = 0; from <= word.length - SHORTEST_PART; from++)
    for (let to = from + SHORTEST_PART; to <= Math.min(word.length, from + LONGEST_PART); to++) {
      const core = word.slice(from, to)
      for (const part of BY_CORE.get(core) ?? [])
        if (!found.has(part) && isPartAt(core, word, from, core !== part)) found.add(part)
    }
  return [...found]
}

/** Whether a word is a form or a compound of a listed part. */
export const hasPart = (word: string, part: string) =>
  isCompoundOf(part, word, coresOfPart(part)) || partOf(word) === part

/** Returns the listed part that a word is a form of: kontrakten, aftaler, skatter. */
export function partOf(word: string): string | null {
  if (NO_FORMS.has(word)) return null
  const cut = withoutEnding(word)
  const forms = [word, cut, `${cut}e`, cut.replace(/([bdfgklmnprst])\1$/, '$1')]
  return forms.find((form) => PARTS.has(form)) ?? null
}

/** Returns the listed parts that begin so. */
export const partsBegun = (text: string): string[] =>
  text.length < SHORTEST_PART ? [] : LISTED.filter((part) => part.startsWith(text))

/** Changes with the list: files whose words were written down with another one are read again. */
const NUMBERS = new Map(LISTED.map((part, number) => [part, number]))
export const numberOfPart = (part: string): number => NUMBERS.get(part)!
