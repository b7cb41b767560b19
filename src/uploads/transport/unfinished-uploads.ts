import { LIFETIMES } from '../../base/upload-lifetimes.ts'

const PLACE = 'uploads'
/** Tells this page from other tabs of the same browser. */
const PAGE = `${Date.now()}-${Math.random()}`

/** An unfinished upload, kept by its address. */
type UnfinishedUpload = {
  /** Identifies the file. */
  key: string
  /** At most this many bytes have arrived. A page may continue if its file's fingerprint up to here is `sum`. */
  upTo: number
  sum: string
  at: number
  page: string
  /** When that page last recorded that it is sending; 0 if it has stopped. */
  seen: number
}

type Claimed = Pick<UnfinishedUpload, 'upTo' | 'sum'> & { address: string }

/** The addresses that this page is sending to: the same file, dropped twice, is two uploads. */
const busy = new Set<string>()

/** Takes over a file's unfinished upload for this page. Null if there is none, or if it is still being sent. */
export function claimUpload(key: string): Claimed | null {
  const silent = Date.now() - LIFETIMES.sendingPageMs
  const found = Object.entries(readAll()).find(
    ([address, kept]) => kept.key === key && !busy.has(address) && (kept.page === PAGE || kept.seen < silent),
  )
  if (!found) return null
  const [address, { upTo, sum }] = found
  keepUpload(address, { key, upTo, sum })
  return { address, upTo, sum }
}

/** Records that this page is sending the upload. The browser may refuse to keep anything. */
export function keepUpload(address: string, kept: Pick<UnfinishedUpload, 'key' | 'upTo' | 'sum'>): void {
  busy.add(address)
  const all = readAll()
  const at = all[address]?.at ?? Date.now()
  writeAll({ ...all, [address]: { ...kept, at, page: PAGE, seen: Date.now() } })
}

/** Returns whether the upload is still this page's: another may have taken it over while this one slept. */
export function isOurs(address: string): boolean {
  return readAll()[address]?.page === PAGE
}

/** Records that this page has stopped, so that any page may go on. */
export function releaseUpload(address: string): void {
  busy.delete(address)
  const all = readAll()
  if (all[address]?.page === PAGE) writeAll({ ...all, [address]: { ...all[address], seen: 0 } })
}

export function forgetUpload(address: string): void {
  busy.delete(address)
  const { [address]: gone, ...others } = readAll()
  if (gone) writeAll(others)
}

function readAll(): Record<string, UnfinishedUpload> {
  try {
    const all = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, UnfinishedUpload>
    const since = Date.now() - LIFETIMES.temporaryFileMs
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => at > since))
  } catch {
    return {}
  }
}

function writeAll(all: Record<string, UnfinishedUpload>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(all))
  } catch {
    // The upload then starts over.
  }
}

const SAMPLE_BYTES = 65_536
/** How much is read at once: enough to be quick, and little enough that the page does not freeze. */
const READ_BYTES = 1_000_000

/** Sums the beginning, the middle and the end, which tells most files apart without reading all of them. */
export async function sampleOf(file: File): Promise<string> {
  const { size } = file
  const sum = new Sum()
  for (const from of [0, Math.floor((size - SAMPLE_BYTES) / 2), size - SAMPLE_BYTES])
    sum.add(await bytesOf(file, Math.max(from, 0), Math.max(from, 0) + SAMPLE_BYTES))
  return sum.text()
}

/** The fingerprint of a file's first bytes, which reads only as far as it is asked to. */
export class Beginning {
  #file: File
  #sum = new Sum()
  #read = 0

  constructor(file: File) {
    this.#file = file
  }

  async reach(upTo: number, signal: AbortSignal): Promise<{ upTo: number; sum: string }> {
    while (this.#read < upTo && !signal.aborted) {
      const to = Math.min(upTo, this.#read + READ_BYTES)
      this.#sum.add(await bytesOf(this.#file, this.#read, to))
      this.#read = to
    }
    return { upTo: this.#read, sum: this.#sum.text() }
  }
}

const bytesOf = async (file: File, from: number, to: number) =>
  new Uint8Array(await file.slice(from, to).arrayBuffer())

/** Two sums of 32 bits like FNV-1a: a page on plain http has no crypto.subtle. Guards against mistakes, not malice. */
class Sum {
  #one = 0x811c9dc5
  #other = 0x9e3779b9

  add(bytes: Uint8Array): void {
    let [one, other] = [this.#one, this.#other]
    // oxlint-disable-next-line typescript/prefer-for-of -- several times as fast
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]!
      one = Math.imul(one ^ byte, 0x01000193)
      other = Math.imul(other ^ byte, 0x5f356495)
    }
    ;[this.#one, this.#other] = [one, other]
  }

  text(): string {
    return `${(this.#one >>> 0).toString(36)}-${(this.#other >>> 0).toString(36)}`
  }
}
