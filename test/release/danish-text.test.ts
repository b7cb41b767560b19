import { expect, it } from 'vitest'
import { danishPage } from '../../bench/office/danish-text.ts'

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu)!

/** Returns how often each word is on the first pages. */
function count(pages: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let page = 1; page <= pages; page++)
    for (const word of wordsOf(danishPage(page))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

it('a page is the same each time, and unlike every other page', () => {
  expect(danishPage(17)).toBe(danishPage(17))
  const pages = Array.from({ length: 500 }, (_, page) => danishPage(page))
  expect(new Set([...pages, danishPage(17, 2)]).size).toBe(501)
})

it('a page has some 350 words, in lines that fit on paper', () => {
  for (let page = 1; page <= 200; page++) {
    const text = danishPage(page)
    expect(wordsOf(text).length).toBeGreaterThan(280)
    expect(wordsOf(text).length).toBeLessThan(440)
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(110)
  }
})

it('words are as frequent as in real text, and new ones keep coming', () => {
  const [some, many] = [count(100), count(1600)]
  const tokens = [...many.values()].reduce((sum, often) => sum + often, 0)
  const byFrequency = [...many].toSorted(([, a], [, b]) => b - a)
  // Zipf: the commonest word is a few percent of all, and the thousandth a few in ten thousand.
  expect(byFrequency[0]![0]).toBe('og')
  expect(byFrequency[0]![1] / tokens).toBeGreaterThan(0.03)
  expect(byFrequency[0]![1] / tokens).toBeLessThan(0.06)
  expect(byFrequency[999]![1] / tokens).toBeLessThan(0.0005)
  // Heaps: with 16 times the text come 4 to 8 times the words, and half of them are there only once.
  expect(many.size / some.size).toBeGreaterThan(4)
  expect(many.size / some.size).toBeLessThan(8)
  const once = byFrequency.filter(([, often]) => often === 1).length
  expect(once / many.size).toBeGreaterThan(0.4)
  expect(once / many.size).toBeLessThan(0.7)
})

it('there are bent words, compounds, names, amounts and dates', () => {
  const words = count(1600)
  for (const word of ['kontrakt', 'kontrakten', 'kontrakter', 'kontrakterne', 'kontraktens', 'jensen'])
    expect([word, words.has(word)]).toEqual([word, true])
  const compounds = [...words.keys()].filter((word) =>
    /.{3}kontrakt(?:en|er|erne|s|ens|ers|ernes)?$/.test(word),
  )
  expect(compounds.length).toBeGreaterThan(20)
  const text = Array.from({ length: 50 }, (_, page) => danishPage(page)).join('\n')
  expect(text).toMatch(/\s\d{1,3}(?:\.\d{3}){2}\s/)
  expect(text).toMatch(/\s\d{1,3}\.\d{3},\d\d\s/)
  expect(text).toMatch(/\s\d{1,2}\. (?:maj|juni|juli|august) 20\d\d/)
})
