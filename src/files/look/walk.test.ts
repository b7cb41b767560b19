import { describe, expect, it, vi } from 'vitest'
import { putPage, startPages, type FilePages } from '../screen/file-pages.ts'
import type { ListedFile } from '../file/stored-file.ts'
import { readersText } from './look-details.tsx'
import { neighbourOf, placeIn, type WalkedFolder } from './walk.ts'

const file = (id: number): ListedFile => ({
  id,
  name: `Bilag ${id}.pdf`,
  path: '',
  size: 1,
  created_at: '',
  period: null,
  is_period_given: false,
  mime: '',
  is_new: false,
  is_version: false,
  from_investor: false,
  held: null,
  waiting: null,
  is_asked: false,
})
const files = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => file(from + at))

/** A folder of 30 files, numbered from 1, of which the first 5 are known. */
function folder(news: ListedFile[] = [], known = startPages(files(1, 5), 30)) {
  const ensure = vi.fn<WalkedFolder['files']['ensure']>(([page]) =>
    Promise.resolve(putPage(known, page!, page === 0 ? files(1, 25) : files(26, 30), 30) satisfies FilePages),
  )
  return { folder: { new_files: news }, files: { known, ensure } }
}

const NONE = new Set<number>()

/** Returns the id of a neighbour. */
async function idBeside(
  walked: WalkedFolder,
  id: number,
  step: 1 | -1,
  { gone = NONE, at = null }: { gone?: ReadonlySet<number>; at?: number | null } = {},
): Promise<number | null> {
  return (await neighbourOf(walked, { file: { id }, at }, step, gone))?.file.id ?? null
}

describe('a walk through a folder', () => {
  it.each([
    { from: 2, step: 1 as const, gone: [], to: 3, fetched: 0 },
    { from: 2, step: -1 as const, gone: [], to: 1, fetched: 0 },
    { from: 1, step: -1 as const, gone: [], to: null, fetched: 0 },
    { from: 5, step: 1 as const, gone: [], to: 6, fetched: 1 },
    { from: 2, step: 1 as const, gone: [3, 4], to: 5, fetched: 0 },
    { from: 2, step: -1 as const, gone: [1], to: null, fetched: 0 },
  ])(
    'the next file from $from by $step, without $gone, is $to',
    async ({ from, step, gone, to, fetched }) => {
      const walked = folder()
      expect(await idBeside(walked, from, step, { gone: new Set(gone) })).toBe(to)
      expect(walked.files.ensure).toHaveBeenCalledTimes(fetched)
    },
  )

  it('continues on the next page, and ends at the last file', async () => {
    const walked = folder([], startPages(files(1, 25), 30))
    expect(await idBeside(walked, 25, 1)).toBe(26)
    const whole = folder([], startPages(files(1, 30), 30))
    expect(await idBeside(whole, 30, 1)).toBeNull()
  })

  it('continues from the last known place when the list no longer has the file', async () => {
    const walked = folder()
    expect(await idBeside(walked, 27, 1, { at: 26 })).toBe(28)
    expect(await idBeside(walked, 27, 1)).toBeNull()
    expect(await idBeside(walked, 99, 1, { at: 26 })).toBeNull()
  })

  it('ends where a page cannot be fetched', async () => {
    const walked = folder()
    walked.files.ensure.mockResolvedValue(null)
    expect(await idBeside(walked, 5, 1)).toBeNull()
  })

  it('walks through new files by their rows while the pages between are not loaded', async () => {
    const walked = folder([file(17), file(28)])
    expect(await idBeside(walked, 17, 1)).toBe(28)
    expect(await idBeside(walked, 17, -1)).toBe(5)
    expect(await idBeside(walked, 28, 1)).toBeNull()
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
  ])('writes the readers %j as %s', (readers, text) => {
    expect(readersText(readers)).toBe(text)
  })
})
