/** What a computer leaves in every directory, and nobody means. */
const LITTER = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*)$/i

export const isLitter = (name: string) => LITTER.test(name)

/** All files of a drop, those in directories too. Must be called within the event. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const files = entries.length > 0 ? (await Promise.all(entries.map(filesIn))).flat() : [...transfer.files]
  return files.filter(({ name }) => !isLitter(name))
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ]
  const inside: File[] = []
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // It gives a hundred at a time, until it gives none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return inside
    for (const each of some) inside.push(...(await filesIn(each)))
  }
}
