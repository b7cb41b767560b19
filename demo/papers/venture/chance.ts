import { crc32 } from 'node:zlib'

/** Returns a number from 0 to 1, always the same for the same words. */
export function chance(words: string): number {
  return crc32(words.normalize('NFC')) / 2 ** 32
}

/** Returns a whole number between the two, both included. */
export function between(least: number, most: number, words: string): number {
  return least + Math.floor(chance(words) * (most - least + 1))
}
