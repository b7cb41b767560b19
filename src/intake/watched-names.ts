/** Names of unfinished files, which their writer renames when they are complete. */
const UNFINISHED = /^~|~$|\.(?:part|partial|tmp|temp|filepart|crdownload|download|swp|lock|writing)$/i

/** Files that computers make for themselves. */
const LITTER = /^(?:thumbs\.db|desktop\.ini|ehthumbs\.db|icon\r)$/i

/** Whether to ignore a file by its name: hidden, unfinished or litter. */
export const isIgnored = (name: string) => name.startsWith('.') || UNFINISHED.test(name) || LITTER.test(name)

/** Reads a name from the disk. Old servers and SFTP programs write Danish letters as one byte each. */
export function readName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw)
  } catch {
    return new TextDecoder('windows-1252').decode(raw)
  }
}

/** The state of a file at one look. While all of it stays the same, nobody writes to the file. */
export type Mark = { size: number; mtime: bigint; inode: bigint }

type Seen = Mark & { since: number }

const isSame = (a: Mark, b: Mark) => a.size === b.size && a.mtime === b.mtime && a.inode === b.inode

/** Remembers the state of files, to find those that have stopped changing. */
export class RestingFiles {
  #seen = new Map<string, Seen>()
  #now = new Map<string, Seen>()
  readonly #restMs: number

  constructor(restMs: number) {
    this.#restMs = restMs
  }

  /** Returns how long a file has been as it is now, or null if that is not long enough. */
  see(path: string, mark: Mark, at: number): number | null {
    const before = this.#seen.get(path)
    const isUnchanged = before !== undefined && isSame(before, mark)
    const seen = isUnchanged ? before : { ...mark, since: at }
    this.#now.set(path, seen)
    const rested = at - seen.since
    return isUnchanged && rested >= this.#restMs ? rested : null
  }

  /** Ends a look: files that were not seen in it are gone. */
  end(): void {
    this.#seen = this.#now
    this.#now = new Map()
  }
}
