import { hash } from 'node:crypto'

// A list of words as their hashes: a letter of recognition, a count, how many words begin with each of 65,536 pairs of bytes, and
// the next three bytes of each. A word that is not in the list is taken for one of them about once in ten million.

const MARK = 'RBP1'
const HEAD = 8
const PAIRS = 65_536
const REST = 3

/** Makes the bytes of a filter from these words. */
export function makePasswordFilter(words: Iterable<string>): Buffer {
  const hashes = [...new Set([...words].map((word) => hash5(word).toString('hex')))].sort()
  const counts = Buffer.alloc(PAIRS)
  for (const each of hashes) {
    const pair = Number.parseInt(each.slice(0, 4), 16)
    if (counts[pair] === 255) throw new Error('The list is too long for a filter of this kind.')
    counts[pair]!++
  }
  const head = Buffer.alloc(HEAD)
  head.write(MARK, 'latin1')
  head.writeUInt32BE(hashes.length, MARK.length)
  return Buffer.concat([head, counts, ...hashes.map((each) => Buffer.from(each.slice(4), 'hex'))])
}

/** Recognizes the words of a list from their hashes. */
export class PasswordFilter {
  readonly size: number
  #rests: Buffer
  /** Where the words of each pair begin. */
  #starts = new Uint32Array(PAIRS + 1)

  constructor(bytes: Buffer) {
    this.size = bytes.length < HEAD ? -1 : bytes.readUInt32BE(MARK.length)
    const counts = bytes.subarray(HEAD, HEAD + PAIRS)
    this.#rests = bytes.subarray(HEAD + PAIRS)
    for (let pair = 0; pair < PAIRS; pair++)
      this.#starts[pair + 1] = this.#starts[pair]! + (counts[pair] ?? 0)
    const isWhole = this.#starts[PAIRS] === this.size && this.#rests.length === this.size * REST
    if (bytes.toString('latin1', 0, MARK.length) !== MARK || !isWhole)
      throw new Error('The list of common passwords is damaged.')
  }

  has(word: string): boolean {
    const wanted = hash5(word)
    const pair = wanted.readUInt16BE(0)
    const rest = wanted.readUIntBE(2, REST)
    for (let at = this.#starts[pair]!; at < this.#starts[pair + 1]!; at++)
      if (this.#rests.readUIntBE(at * REST, REST) === rest) return true
    return false
  }
}

const hash5 = (word: string) => hash('sha256', word, 'buffer').subarray(0, 2 + REST)
