/** Files that operating systems leave in every directory. */
const SYSTEM_FILE = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*)$/i

export const isSystemFile = (name: string) => SYSTEM_FILE.test(name)

/** All files of a drop, and the names of entries that could not be read. */
export type Dropped = { files: File[]; unread: string[] }

/** Reads all dropped files, those in directories included. Must be called within the event. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0)
    return { files: [...transfer.files].filter(({ name }) => !isSystemFile(name)), unread: [] }
  const dropped: Dropped = { files: [], unread: [] }
  for (const entry of entries) await readInto(dropped, entry)
  return dropped
}

async function readInto(dropped: Dropped, entry: FileSystemEntry): Promise<void> {
  if (isSystemFile(entry.name)) return
  try {
    if (entry.isFile) dropped.files.push(await fileOf(entry as FileSystemFileEntry))
    else
      for (const inside of await entriesOf(entry as FileSystemDirectoryEntry)) await readInto(dropped, inside)
  } catch {
    dropped.unread.push(entry.name)
  }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  // The browser returns a hundred entries at a time, then none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}
