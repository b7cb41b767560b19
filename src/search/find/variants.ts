import { isCompoundOf, isEndingAt, NO_FORMS } from '../words/compounds.ts'

/** A word that somebody searches for, as `fold` writes it, and its stem. */
export type Asked = { word: string; stem: string }

/** A word of the documents, and its stem. */
type Listed = { word: string; stem: string }

/** How a word of the documents answers a word that was asked for. */
export type Likeness = 'same' | 'form' | 'compound' | 'beginning'

/** Returns how a listed word answers; null if it does not. `isTyping`: the asked word may be only begun. */
export function likenessOf(asked: Asked, listed: Listed, isTyping = false): Likeness | null {
  if (listed.word === asked.word) return 'same'
  if (/\d/.test(asked.word)) return isTyping && listed.word.startsWith(asked.word) ? 'beginning' : null
  if (isFormOf(asked, listed)) return 'form'
  if (isCompoundOf(asked.word, listed.word)) return 'compound'
  return isTyping && listed.word.startsWith(asked.word) ? 'beginning' : null
}

function isFormOf(asked: Asked, listed: Listed): boolean {
  if (NO_FORMS.has(listed.word)) return false
  const stem = stemOf(asked)
  const [short, long] = stem.length < listed.stem.length ? [stem, listed.stem] : [listed.stem, stem]
  // The stemmer leaves køb and købt apart.
  const areStems = short === long || (short.length >= 3 && (long === `${short}t` || long === `${short}d`))
  if (!areStems && !(stem !== asked.stem && listed.word.startsWith(stem))) return false
  // This also counts lejlighed as a form of leje.
  const same = sameStart(asked.word, listed.word)
  return same >= short.length && isEndingAt(asked.word, same) && isEndingAt(listed.word, same)
}

/** The stemmer takes lejeren for a form of leje: it is one of lejer. */
function stemOf({ word, stem }: Asked): string {
  const agent = /^(.{2,}er)(?:en|ens|e|es)$/.exec(word)?.[1]
  return agent?.startsWith(stem) ? agent : stem
}

/**
 * Returns a word without its ending: forsikringen, forsikring; skatter, skat. The stemmer cuts more, down to `vær` for
 * værelse, which is in too many words.
 */
export function coreOf(word: string): string {
  const cut = /^(.{3,}?)(?:ernes|enes|erne|ens|ets|ers|ene|en|et|er|es|e|s)$/.exec(word)?.[1] ?? word
  const single = cut.replace(/([bdfgklmnprst])\1$/, '$1')
  // A part of køb and købt alike.
  return single.length > 4 ? single.replace(/[dt]$/, '') : single
}

function sameStart(a: string, b: string): number {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  return same
}

/** Whether one letter is wrong, missing, too many, or has changed places with the next. The å of `aa` is one letter. */
export function isOneLetterOff(a: string, b: string): boolean {
  return isOneOff(a, b) || isOneOff(inLetters(a), inLetters(b))
}

const inLetters = (word: string) => word.replaceAll('aa', 'å').replaceAll('ae', 'æ').replaceAll('oe', 'ø')

function isOneOff(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let [endOfA, endOfB] = [a.length, b.length]
  while (endOfA > from && endOfB > from && a[endOfA - 1] === b[endOfB - 1]) {
    endOfA--
    endOfB--
  }
  const [inA, inB] = [a.slice(from, endOfA), b.slice(from, endOfB)]
  if (inA.length <= 1 && inB.length <= 1) return true
  return inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]
}
