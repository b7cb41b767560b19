// Names that Windows, macOS and Linux can all unpack.

// oxlint-disable-next-line no-control-regex -- control characters are what Windows refuses
const FORBIDDEN = /[<>:"|?*/\\\0-\x1f\x7f]/g
/** Names that Windows keeps for devices, with any ending: 'con', 'NUL.txt'. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?= *(?:\.|$))/i
/** Linux takes 255 bytes. This leaves room for ' (12345)'. */
const MOST_BYTES = 240

const utf8 = new TextEncoder()

/** Returns a name that every system takes: 'K/S Øst: 50 %?' becomes 'K_S Øst_ 50 %_'. */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '')
  const allowed = plain.replace(RESERVED, '_$&')
  return shortened(allowed === '' ? '_' : allowed)
}

/** Cuts the middle out of a name that is too long, and keeps its ending. */
function shortened(name: string): string {
  if (utf8.encode(name).length <= MOST_BYTES) return name
  const [stem, ending] = splitEnding(name)
  const letters = Array.from(stem)
  while (letters.length > 0 && utf8.encode(letters.join('') + ending).length > MOST_BYTES) letters.pop()
  return letters.join('').replace(/[. ]+$/, '') + ending
}

/** Splits 'Budget.v2.pdf' into 'Budget.v2' and '.pdf'. An ending is short, and has no space. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const ending = /(?<=.)\.[^. ]{1,16}$/.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - ending.length), ending]
}

/** Names with equal keys are the same to Windows and macOS, which ignore case. */
const keyOf = (name: string) => name.toUpperCase().toLowerCase()

/**
 * Returns safe names that differ from each other: of two 'Budget.pdf', the second becomes 'Budget (2).pdf'. A name that
 * is the only one of its kind stays as it is.
 */
export function distinctNames(names: readonly string[]): string[] {
  const safe = names.map(safeName)
  const wanted = new Set(safe.map(keyOf))
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return safe.map((name) => {
    const key = keyOf(name)
    if (!taken.has(key)) {
      taken.add(key)
      return name
    }
    const [stem, ending] = splitEnding(name)
    for (let count = counts.get(key) ?? 2; ; count++) {
      const numbered = `${stem} (${count})${ending}`
      const numberedKey = keyOf(numbered)
      if (wanted.has(numberedKey) || taken.has(numberedKey)) continue
      counts.set(key, count + 1)
      taken.add(numberedKey)
      return numbered
    }
  })
}

/** A directory of an archive. Two with the same id are one. */
type Directory = { id: number | string; name: string }

/** A file with the directories that it lies in, from the outermost on. */
type Nested = { name: string; directories: readonly Directory[] }

/** Returns each file's path in an archive. All paths differ, also from the names that are taken at the top. */
export function nestedPaths(files: readonly Nested[], taken: readonly string[] = []): string[] {
  const paths: string[] = []
  const place = (indexes: readonly number[], depth: number, path: string, others: readonly string[]) => {
    const inside = new Map<Directory['id'], number[]>()
    const here: number[] = []
    for (const index of indexes) {
      const directory = files[index]!.directories[depth]
      const inIt = directory ? inside.get(directory.id) : here
      if (inIt) inIt.push(index)
      else inside.set(directory!.id, [index])
    }
    const groups = [...inside.values()]
    const names = distinctNames([
      ...others,
      ...groups.map(([first]) => files[first!]!.directories[depth]!.name),
      ...here.map((index) => files[index]!.name),
    ]).slice(others.length)
    for (const [nth, group] of groups.entries()) place(group, depth + 1, `${path}${names[nth]}/`, [])
    for (const [nth, index] of here.entries()) paths[index] = `${path}${names[groups.length + nth]}`
  }
  place(
    files.map((_, index) => index),
    0,
    '',
    taken,
  )
  return paths
}

type Named = { name: string; folder: Directory }

/** Returns each file's path in an archive, in its folder's directory, or without one. */
export function archivePaths(files: readonly Named[], hasDirectories: boolean): string[] {
  return nestedPaths(files.map(({ name, folder }) => ({ name, directories: hasDirectories ? [folder] : [] })))
}
