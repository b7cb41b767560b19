type Readers = { folder: number; people: number[] }

/** Bytes of a file: a file has others after each new version. */
export type Bytes = { id: number; blob: number }

/** What people outside the office see of a part of it, as ids, so that it can be kept and compared. */
export type Sight = {
  /** Each shown file: its bytes and its folder. Once more for a new version that is shown as soon as it is read. */
  files: (Bytes & { folder: number })[]
  /** Who sees the folders of those files. */
  readers: Readers[]
  /** The readers of whole folders that show something. A report counts as a folder with its owner's id, negated. */
  folders: Readers[]
}

/** The files or whole folders that an act makes visible, each with its new readers. */
export type Gain = { files: (Bytes & { people: number[] })[]; folders: Readers[] }

const asMap = (rows: Readers[]) => new Map(rows.map(({ folder, people }) => [folder, new Set(people)]))

const keyOf = ({ id, blob }: Bytes) => `${id} ${blob}`

/** Compares what people see before and after an act. New bytes of a file count as new. */
export function findGain(before: Sight, after: Sight): Gain {
  const foldersBefore = asMap(before.folders)
  const filesBefore = new Map(before.files.map((file) => [keyOf(file), file]))
  const readersBefore = asMap(before.readers)
  const readersAfter = asMap(after.readers)
  const newOf = (now: Iterable<number>, then: ReadonlySet<number> | undefined) =>
    [...now].filter((person) => !then?.has(person))
  return {
    files: after.files
      .map(({ id, blob, folder }) => {
        const was = filesBefore.get(keyOf({ id, blob }))
        const then = was && readersBefore.get(was.folder)
        return { id, blob, people: newOf(readersAfter.get(folder) ?? [], then) }
      })
      .filter(({ people }) => people.length > 0),
    folders: after.folders
      .map(({ folder, people }) => ({ folder, people: newOf(people, foldersBefore.get(folder)) }))
      .filter(({ people }) => people.length > 0),
  }
}

/** Returns the people who see a file, or other bytes of it, that they did not see before. */
export function newReaders(before: Sight, after: Sight): number[] {
  const { files, folders } = findGain(before, after)
  return [...new Set([...files, ...folders].flatMap(({ people }) => people))]
}

/** A person: by id, or by e-mail if they come with what is asked for and have no id yet. */
export type Who = number | string

/**
 * Everything that an act would show when it was asked for: files with new readers, new people in the office, changed
 * e-mails.
 */
export type StoredSight = { shown: { people: Who[]; files: Bytes[] }[]; office: Who[]; moved: number[] }

export const NOTHING_STORED: StoredSight = { shown: [], office: [], moved: [] }

/** Whether `now` shows nothing to anybody beyond what was asked for. */
export function isWithin(now: StoredSight, asked: StoredSight): boolean {
  if (now.office.some((person) => !asked.office.includes(person))) return false
  if (now.moved.some((person) => !asked.moved.includes(person))) return false
  const readers = new Map<string, Set<Who>>()
  for (const { people, files } of asked.shown)
    for (const file of files) {
      const key = keyOf(file)
      const known = readers.get(key) ?? new Set()
      for (const person of people) known.add(person)
      readers.set(key, known)
    }
  return now.shown.every(({ people, files }) =>
    files.every((file) => {
      const known = readers.get(keyOf(file))
      return known !== undefined && people.every((person) => known.has(person))
    }),
  )
}

/** Groups files that the same people see. */
export function groupShown(shown: StoredSight['shown']): StoredSight['shown'] {
  const groups = new Map<string, StoredSight['shown'][number]>()
  for (const { people, files } of shown) {
    const key = people.map(String).toSorted().join()
    const group = groups.get(key)
    if (group) group.files.push(...files)
    else groups.set(key, { people, files: [...files] })
  }
  return [...groups.values()]
}
