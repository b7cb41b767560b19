/** Names of files that their writer gives another name when they are whole. */
const UNFINISHED = /^~|~$|\.(?:part|partial|tmp|temp|filepart|crdownload|download|swp|lock|writing)$/i

/** Files that computers leave about for themselves. */
const LITTER = /^(?:thumbs\.db|desktop\.ini|ehthumbs\.db|icon\r)$/i

/** Returns whether a name is none that anybody hands in, or not yet. Hidden ones are nobody's. */
export const isIgnored = (name: string) => name.startsWith('.') || UNFINISHED.test(name) || LITTER.test(name)

/** Reads a name from the disk. Old servers and SFTP programs write Danish letters as one byte each. */
export function readName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw)
  } catch {
    return new TextDecoder('windows-1252').decode(raw)
  }
}

/** What is known of a file when one looks at it: as long as all of it stays, nobody writes to the file. */
export type Mark = { size: number; mtime: bigint; inode: bigint }

type Seen = Mark & { since: number }

const isSame = (a: Mark, b: Mark) => a.size === b.size && a.mtime === b.mtime && a.inode === b.inode

/** Remembers how files looked, to tell which of them rest. */
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
