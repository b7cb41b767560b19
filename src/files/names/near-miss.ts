import { folderKey } from '../../projects/folder.ts'

/**
 * Returns a function that finds the name that was probably meant: 'Årsrapport' for 'Aarsraport'. It returns null if
 * there is none, or several. The names are prepared once for many texts.
 */
export function nearMissAmong(names: Iterable<string>): (text: string) => string | null {
  const known = new Set(names)
  const byNumbers = Map.groupBy(Array.from(known, folded), ({ numbers }) => numbers)

  return (text) => {
    if (text.length > MOST_LETTERS) return null
    const key = folderKey(text)
    const meant = folded(key)
    if (known.has(key) || meant.letters === '') return null
    const candidates = byNumbers.get(meant.numbers) ?? []
    const same = candidates.filter(({ letters }) => letters === meant.letters)
    return same.length > 0 ? onlyOne(same) : onlyOne(nearest(meant, candidates))
  }
}

const MOST_LETTERS = 255

type Folded = { name: string; letters: string; numbers: string; shortWords: string }

const onlyOne = (found: Folded[]) => (found.length === 1 ? found[0]!.name : null)

function nearest(meant: Folded, candidates: Folded[]): Folded[] {
  let found: Folded[] = []
  let best = Infinity
  for (const each of candidates) {
    if (each.shortWords !== meant.shortWords) continue
    const shorter = Math.min(meant.letters.length, each.letters.length)
    // In a word of up to four letters, another letter makes another word: Skat is not Skab.
    const exchange = shorter > 4 ? 1 : 2
    const slips = countSlips(meant.letters, each.letters, Math.min(best, mostSlips(shorter)), exchange)
    if (slips > best || slips === Infinity) continue
    found = slips < best ? [each] : [...found, each]
    best = slips
  }
  return found
}

const mostSlips = (letters: number) => (letters > 12 ? 3 : letters > 6 ? 2 : 1)

/** Lowercases, and keeps only letters without accents and digits. å equals aa and a, ø equals oe and o, æ equals ae. */
function folded(name: string): Folded {
  const words = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/a{2,}/g, 'a')
    .replaceAll(/ø|oe/g, 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .match(/[\p{L}\p{N}]+/gu)
  const line = words?.join(' ') ?? ''
  return {
    name,
    letters: line.replaceAll(' ', ''),
    // Words that distinguish similar folders are never a slip: Bilag 1 and 2, 1a and 1b, II and III, Øst and Vest.
    numbers: (line.match(/\p{N}+/gu) ?? []).join(' '),
    shortWords: (line.match(/(?<!\p{L})(?:\p{L}{1,3}|[ivx]+)(?!\p{L})/gu) ?? []).join(' '),
  }
}

/** Counts letters left out, put in, exchanged, or swapped with their neighbour; Infinity if they are more than `most`. */
function countSlips(one: string, other: string, most: number, exchange: number): number {
  if (Math.abs(one.length - other.length) > most) return Infinity
  const [a, b] = withoutSameEnds(one, other)
  let [before, last, row] = [[], Array.from({ length: b.length + 1 }, (_, j) => j), []] as number[][] as Rows
  for (let i = 1; i <= a.length; i++) {
    // Further from the diagonal there are more slips than `most`.
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)]
    row[from - 1] = from === 1 ? i : Infinity
    row[to + 1] = Infinity
    let least = row[from - 1]!
    for (let j = from; j <= to; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const slips = Math.min(
        row[j - 1]! + 1,
        last[j]! + 1,
        last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : exchange),
        isSwapped ? before[j - 2]! + 1 : Infinity,
      )
      row[j] = slips
      least = Math.min(least, slips)
    }
    if (least > most) return Infinity
    ;[before, last, row] = [last, row, before]
  }
  return last[b.length]! <= most ? last[b.length]! : Infinity
}

type Rows = [before: number[], last: number[], row: number[]]

function withoutSameEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}
