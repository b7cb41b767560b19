/** What people outside the office see of a part of it, as ids, so that it can be kept and compared. */
export type Sight = {
  /** Each shown file: its bytes and its folder. */
  files: { id: number; blob: number; folder: number }[]
  /** Who sees the folders of those files. */
  readers: { folder: number; people: number[] }[]
  /** Who sees whole folders that have something to see. */
  folders: { folder: number; people: number[] }[]
}

export const NO_SIGHT: Sight = { files: [], readers: [], folders: [] }

const asMap = (rows: { folder: number; people: number[] }[]) =>
  new Map(rows.map(({ folder, people }) => [folder, new Set(people)]))

/** Returns the people who see a file, or other bytes of it, that they did not see before. */
export function newReaders(before: Sight, after: Sight): number[] {
  const found = new Set<number>()
  const add = (now: Iterable<number>, then: ReadonlySet<number> | undefined) => {
    for (const person of now) if (!then?.has(person)) found.add(person)
  }
  const foldersBefore = asMap(before.folders)
  for (const { folder, people } of after.folders) add(people, foldersBefore.get(folder))
  const filesBefore = new Map(before.files.map((file) => [file.id, file]))
  const readersBefore = asMap(before.readers)
  const readersAfter = asMap(after.readers)
  for (const { id, blob, folder } of after.files) {
    const was = filesBefore.get(id)
    const isSame = was !== undefined && was.blob === blob
    add(readersAfter.get(folder) ?? [], isSame ? readersBefore.get(was.folder) : undefined)
  }
  return [...found]
}
