import { describe, expect, it } from 'vitest'
import {
  countPages,
  fileAt,
  filesBetween,
  indexOf,
  isLoaded,
  missingPages,
  moveInPages,
  putPage,
  sizeOf,
  startPages,
  type FilePages,
  movedTogether,
} from './file-pages.ts'
import type { StoredFile } from '../file/stored-file.ts'

const file = (id: number) => ({ id }) as StoredFile
const files = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => file(from + index))
const ids = ({ pages }: FilePages) => pages.map((page) => page?.map(({ id }) => id))

describe('the loaded files of a folder', () => {
  it('the first five files are not a whole page', () => {
    const known = startPages(files(1, 5), 60)
    expect([isLoaded(known, 0), missingPages(known, 0, 30), countPages(60)]).toEqual([false, [0, 1], 3])
  })

  it('a small folder is loaded at once', () => {
    expect(isLoaded(startPages(files(1, 3), 3), 0)).toBe(true)
    expect(startPages([], 0)).toEqual({ total: 0, pages: [] })
  })

  it('loads pages in any order', () => {
    const known = putPage(putPage(startPages(files(1, 5), 60), 2, files(51, 60), 60), 0, files(1, 25), 60)
    expect(missingPages(known, 0, 59)).toEqual([1])
    expect([fileAt(known, 0)?.id, fileAt(known, 30)?.id, fileAt(known, 59)?.id]).toEqual([1, undefined, 60])
    expect([sizeOf(60, 0), sizeOf(60, 2)]).toEqual([25, 10])
  })

  it('loads a page further down first', () => {
    const known = startPages(files(101, 130), 300, 100)
    expect([fileAt(known, 100)?.id, fileAt(known, 129)?.id, fileAt(known, 99)]).toEqual([101, 130, undefined])
  })

  it('finds the index of a loaded file', () => {
    const known = putPage(startPages(files(1, 5), 60), 2, files(51, 60), 60)
    expect([indexOf(known, 1), indexOf(known, 52), indexOf(known, 30)]).toEqual([0, 51, -1])
  })

  it('drops pages when the folder has fewer files', () => {
    const known = putPage(startPages(files(1, 60), 60), 0, files(1, 20), 20)
    expect([known.total, known.pages.length]).toEqual([20, 1])
  })
})

describe('a move', () => {
  const known = startPages(files(1, 60), 60)

  it.each([
    [0, 2, [2, 3, 1]],
    [2, 0, [3, 1, 2]],
    [1, 2, [1, 3, 2]],
  ])('moves a file from %d to %d within a page', (from, to, first) => {
    expect(ids(moveInPages(known, from + 1, from, to)!)[0]!.slice(0, 3)).toEqual(first)
  })

  it('moves a file across pages, and leaves the other pages', () => {
    const next = moveInPages(known, 25, 24, 25)!
    expect([ids(next)[0]!.at(-1), ids(next)[1]![0]]).toEqual([26, 25])
    expect(next.pages[2]).toBe(known.pages[2])
    const far = moveInPages(known, 1, 0, 59)!
    expect([ids(far)[0]![0], ids(far)[2]!.at(-1), ids(far)[1]![0]]).toEqual([2, 1, 27])
  })

  it('does not move if another file is there, or a page between is not loaded', () => {
    expect(moveInPages(known, 7, 0, 2)).toBeNull()
    expect(moveInPages(startPages(files(1, 25), 60), 1, 0, 30)).toBeNull()
    expect(moveInPages(startPages(files(1, 5), 60), 5, 4, 5)).toBeNull()
  })

  it('finds the files between two places', () => {
    expect(filesBetween(known, 24, 26).map(({ id }) => id)).toEqual([25, 26, 27])
  })
})

it.each([
  [[1, 3], 5, [0, 2, 4, 1, 3]],
  [[1, 3], 0, [1, 3, 0, 2, 4]],
  [[1, 3], 2, [0, 1, 3, 2, 4]],
  [[0], 3, [1, 2, 0, 3, 4]],
  [[4], 0, [4, 0, 1, 2, 3]],
  [[2, 3], 3, [0, 1, 2, 3, 4]],
])('moves %j together before %i', (moving, gap, expected) => {
  expect(movedTogether([0, 1, 2, 3, 4], (id) => moving.includes(id), gap)).toEqual(expected)
})
