import { describe, expect, it, vi } from 'vitest'
import { A_PAGE, fileAt, indexOf, putPage, startPages } from '../list/file-pages.ts'
import type { ListedFile } from '../stored-file.ts'
import { readersText } from './look-details.tsx'
import { neighbourOf, placeIn, type WalkedFolder } from './walk.ts'

const file = (id: number): ListedFile => ({
  id,
  name: `Bilag ${id}.pdf`,
  path: '',
  size: 1,
  created_at: '',
  mime: '',
  is_new: false,
  from_investor: false,
  held: null,
})
const files = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => file(from + at))

/** A folder of 30 files, numbered from 1, of which the first 5 are known. */
function folder(news: ListedFile[] = []) {
  const known = startPages(files(1, 5), 30)
  const fetchAt = vi.fn<WalkedFolder['fetchAt']>((index) =>
    Promise.resolve(
      index < A_PAGE ? putPage(known, 0, files(1, 25), 30) : putPage(known, 1, files(26, 30), 30),
    ),
  )
  return { known, news, fetchAt, fileAt, indexOf }
}

const NONE = new Set<number>()

describe('a walk through a folder', () => {
  it.each([
    { from: 2, step: 1 as const, gone: [], to: 3, fetched: 0 },
    { from: 2, step: -1 as const, gone: [], to: 1, fetched: 0 },
    { from: 1, step: -1 as const, gone: [], to: null, fetched: 0 },
    { from: 5, step: 1 as const, gone: [], to: 6, fetched: 1 },
    { from: 2, step: 1 as const, gone: [3, 4], to: 5, fetched: 0 },
    { from: 2, step: -1 as const, gone: [1], to: null, fetched: 0 },
  ])('from $from by $step, without $gone, leads to $to', async ({ from, step, gone, to, fetched }) => {
    const walked = folder()
    expect((await neighbourOf(walked, from, step, new Set(gone)))?.id ?? null).toBe(to)
    expect(walked.fetchAt).toHaveBeenCalledTimes(fetched)
  })

  it('goes on to the next page, and ends at the last file', async () => {
    const walked = { ...folder(), known: startPages(files(1, 25), 30) }
    expect((await neighbourOf(walked, 25, 1, NONE))?.id).toBe(26)
    const whole = { ...folder(), known: startPages(files(1, 30), 30) }
    expect(await neighbourOf(whole, 30, 1, NONE)).toBeNull()
  })

  it('ends where a page cannot be fetched', async () => {
    expect(await neighbourOf({ ...folder(), fetchAt: () => Promise.resolve(null) }, 5, 1, NONE)).toBeNull()
  })

  it('goes through new files by their rows, while nothing between is known', async () => {
    const walked = folder([file(17), file(28)])
    expect((await neighbourOf(walked, 17, 1, NONE))?.id).toBe(28)
    expect((await neighbourOf(walked, 17, -1, NONE))?.id).toBe(5)
    expect(await neighbourOf(walked, 28, 1, NONE)).toBeNull()
    expect(placeIn(walked, 28)).toBeNull()
    expect(placeIn(walked, 5)).toEqual({ nth: 5, total: 30 })
  })
})

describe('who can see a file', () => {
  const person = (name: string, role: 'investor' | 'auditor' = 'investor') => ({ id: 1, name, role })
  it.each([
    [{ total: 0, first: [] }, 'Kun kontoret'],
    [{ total: 1, first: [person('Anna Holm')] }, 'Kontoret og én anden: Anna Holm'],
    [
      { total: 2, first: [person('Anna Holm'), person('Rita Krag', 'auditor')] },
      'Kontoret og 2 andre: Anna Holm og Rita Krag (revisor)',
    ],
    [
      { total: 1202, first: [person('Anna Holm'), person('Bo Lund')] },
      'Kontoret og 1.202 andre: Anna Holm, Bo Lund og 1.200 til',
    ],
  ])('%j: %s', (readers, text) => {
    expect(readersText(readers)).toBe(text)
  })
})
