import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { PICTURES, THEMES, type Picture } from '../../scripts/pictures/picture-list.ts'

const DIRECTORY = 'docs/pictures'
const DOCUMENTS = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const wanted = Object.keys(PICTURES).flatMap((name) => THEMES.map((theme) => `${name}-${theme}.webp`))

it('the listed pictures exist, nothing else does, and together they are small', () => {
  const there = readdirSync(DIRECTORY)
  expect(there.toSorted()).toEqual(wanted.toSorted())
  const bytes = there.reduce((sum, name) => sum + statSync(join(DIRECTORY, name)).size, 0)
  expect(bytes).toBeLessThan(3_000_000)
})

it.each(Object.keys(PICTURES))('%s is a WebP picture of the same size in light and dark', async (name) => {
  const sizes = await Promise.all(
    THEMES.map(async (theme) => {
      const { format, width, height } = await sharp(join(DIRECTORY, `${name}-${theme}.webp`)).metadata()
      return { format, width, height }
    }),
  )
  expect(sizes[0]).toMatchObject({ format: 'webp' })
  expect(sizes[0]!.width).toBe((PICTURES as Record<string, Picture>)[name]!.width! * 1.5 || 1920)
  expect(sizes[1]).toEqual(sizes[0])
})

it('documents name only pictures of the list, and README each in light and dark', () => {
  for (const document of DOCUMENTS) {
    const named = readFileSync(document, 'utf8').matchAll(/pictures\/([a-z-]+)-(light|dark)\.webp/g)
    const themes = Map.groupBy(named, ([, name]) => name!)
    for (const [name, uses] of themes) {
      expect([document, name, Object.keys(PICTURES).includes(name)]).toEqual([document, name, true])
      // The product finds the dark one of the manual's pictures itself.
      const count = document === 'docs/brugervejledning.md' ? 1 : 2
      expect([document, name, new Set(uses.map(([, , theme]) => theme)).size]).toEqual([
        document,
        name,
        count,
      ])
    }
  }
  expect(readFileSync('README.md', 'utf8')).toContain('pictures/start-office-dark.webp')
})
