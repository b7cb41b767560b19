// Regular expressions that find what `fold` has made of a text. They match too much rather than too little: the words of a
// page that they find are compared once more.

const LETTERS: Record<string, string> = {
  aa: '(?:[åÅ]|aa)',
  ae: '(?:[æÆäÄ]|ae)',
  oe: '(?:[øØöÖœŒ]|oe)',
  ss: '(?:ß|ss)',
  a: '[aàáâãåÅæÆäÄ]',
  c: '[cç]',
  d: '[dðđ]',
  e: '[eèéêëæ]',
  i: '[iìíîïı]',
  l: '[lł]',
  n: '[nñ]',
  o: '[oòóôõøØöÖ]',
  u: '[uùúûü]',
  y: '[yýÿ]',
}

/** Returns a pattern for a word, a number or a date, wherever it stands. */
export function patternOf(term: string): string {
  const date = /^d(\d{4})(\d\d)(\d\d)$/.exec(term)
  if (date) return `(?:${Number(date[3])}[^\\n]{1,14}${date[1]}|${date.slice(1).join('-')})`
  // The digits of a number may be written in groups.
  if (/^[\d,]+$/.test(term)) return term.split('').join('[. \u00a0\u202f]?')
  return term.replaceAll(/aa|ae|oe|ss|[acdeilnouy]/g, (letters) => LETTERS[letters]!)
}

/** Returns a pattern for words that stand together, whatever signs are between them. */
export function patternOfPhrase(terms: string[]): string {
  return `(?<![\\p{L}\\p{N}])${terms.map(patternOf).join('[^\\p{L}\\p{N}]+')}(?![\\p{L}\\p{N}])`
}

export const regExpOf = (pattern: string) => new RegExp(pattern, 'iu')
