import { crc32 } from 'node:zlib'

/** 0 to 1, always the same for the same words. */
export function chance(words: string): number {
  return crc32(words.normalize('NFC')) / 2 ** 32
}

/** A whole number, both ends included. */
export function between(least: number, most: number, words: string): number {
  return least + Math.floor(chance(words) * (most - least + 1))
}
