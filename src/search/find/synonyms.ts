import { PARTS } from '../words/compound-parts.ts'
import { fold } from '../words/tokens.ts'

/**
 * Words of the trade that mean the same, a line for each meaning: a search for one also finds the others. The office adds its own
 * (`own-words.ts`, looked up by `find-words.db.ts`). `parts.db.ts` puts both beside the word itself; a word of the one list
 * does not lead on to the other. None of them widens what a reader sees: `candidates.db.ts` asks that of every file.
 */
const LINES = `
  udbytte udlodning uddeling udbytteudlodning udlodningsmeddelelse
  regnskab årsrapport årsregnskab
  skat årsopgørelse skatteopgørelse skatteoplysning skattebilag selvangivelse
  årsopgørelse årsoversigt investoropgørelse skatteoplysning
  kapitalkonto kapitalopgørelse
  kvartalsrapport kvartalsregnskab perioderegnskab
  lejekontrakt lejeaftale
  vedtægt selskabskontrakt
`

/** Equal for all forms of a word: udbyttet, udbytte. Not `coreOf`, for which udbydes is one of them. */
export const keyOf = (word: string) =>
  (/^(.{3,}?)(?:ernes|enes|erne|ens|ets|ers|ene|en|et|er|es|e|s)$/.exec(word)?.[1] ?? word).replace(
    /([bdfgklmnprst])\1$/,
    '$1',
  )

const GROUPS = LINES.trim()
  .split('\n')
  .map((line) => line.trim().split(' ').map(fold))

const BY_CORE = new Map<string, Set<string>>()
for (const group of GROUPS)
  for (const word of group) BY_CORE.set(keyOf(word), new Set([...(BY_CORE.get(keyOf(word)) ?? []), ...group]))

/** A word as somebody types it who has no Danish letters: årsopgørelse, arsopgorelse. */
const bare = (folded: string) => folded.replaceAll('aa', 'a').replaceAll('oe', 'o')

/** The right words, by how they look without Danish letters. */
const BY_BARE = new Map(
  [...PARTS, ...GROUPS.flat()].filter((word) => bare(word) !== word).map((word) => [bare(keyOf(word)), word]),
)
/** Shorter ones are other words as well. */
const SHORTEST_BARE = 4
const MOST = 8

/** Returns the word that is meant by one without Danish letters, or null: `aarsrapport` for `arsrapport`. */
export function spelledOut(term: string): string | null {
  const core = keyOf(term)
  return (term.length >= SHORTEST_BARE && !isOfTrade(term) && BY_BARE.get(core)) || null
}

/** Returns other words with the same meaning, and the word with Danish letters; both as `fold` writes them. */
export function synonymsOf(term: string): string[] {
  if (/\d/.test(term)) return []
  const meant = spelledOut(term)
  const core = keyOf(meant ?? term)
  const others = [...(BY_CORE.get(core) ?? [])].filter((word) => word !== term)
  return [...new Set([...(meant === null ? [] : [meant]), ...others])].slice(0, MOST)
}

/** Whether a word is right, and no typing error that could be mended: a word of the trade, in any form. */
export function isOfTrade(term: string): boolean {
  const core = keyOf(term)
  return BY_CORE.has(core) || PARTS.has(term) || PARTS.has(core)
}
