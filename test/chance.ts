/** Random choices that can be repeated. */
export type Chance = { number: (below: number) => number; of: <Item>(items: readonly Item[]) => Item }

/** Gives the same numbers for the same seed (Mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const number = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  return { number, of: (items) => items[number(items.length)]! }
}
