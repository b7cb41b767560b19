// The SHA-256 of the bytes as the sender reads them; the server compares it with the bytes that arrive.

/** Uses crypto.subtle; a page on plain http, where a wrong byte is likeliest, lacks it and computes the sum itself. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto as Partial<Crypto>
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256ByHand(bytes)
}

export const hexOf = (sum: Uint8Array) => [...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** Returns the first 32 bits of a root's fraction. */
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0

const PRIMES = Array.from({ length: 310 }, (_, index) => index + 2).filter((number, _index, all) =>
  all.every((other) => other >= number || number % other !== 0),
)
const FACTORS = Int32Array.from(PRIMES.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

/** FIPS 180-4. */
export function sha256ByHand(bytes: Uint8Array): Uint8Array {
  const state = START.slice()
  const words = new Int32Array(64)
  const whole = bytes.length - (bytes.length % 64)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < whole; at += 64) addBlock(state, words, view, at)
  // The remaining bytes, a 1 bit, zeros, and the length in bits.
  const rest = new Uint8Array(bytes.length % 64 < 56 ? 64 : 128)
  rest.set(bytes.subarray(whole))
  rest[bytes.length % 64] = 0x80
  const end = new DataView(rest.buffer)
  end.setUint32(rest.length - 8, Math.floor(bytes.length / 2 ** 29))
  end.setUint32(rest.length - 4, bytes.length << 3)
  for (let at = 0; at < rest.length; at += 64) addBlock(state, words, end, at)
  const sum = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => sum.setInt32(index * 4, word))
  return new Uint8Array(sum.buffer)
}

function addBlock(state: Int32Array, words: Int32Array, view: DataView, at: number): void {
  for (let index = 0; index < 16; index++) words[index] = view.getInt32(at + index * 4)
  for (let index = 16; index < 64; index++) {
    const [near, far] = [words[index - 2]!, words[index - 15]!]
    const one = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3)
    const two = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10)
    words[index] = words[index - 16]! + one + words[index - 7]! + two
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let index = 0; index < 64; index++) {
    const mix = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const one = (h + mix + ((e & f) ^ (~e & g)) + FACTORS[index]! + words[index]!) | 0
    const turn = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const two = (turn + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => (state[index]! += word))
}

type Eight = [number, number, number, number, number, number, number, number]
