import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newUpload } from '../transport/upload.ts'
import type { UnsavedFile, PileChange } from './unsaved-pile.ts'
import { unsavedFilesOf } from './pile-state.ts'
import { PileKeeper, type PileState } from './pile-keeper.ts'

const NOW = { way: 'now', day: null, time: '09.00' } as const

const file = (name: string, hash: string | null = null): UnsavedFile => ({
  name,
  original: name,
  size: 9,
  hash_name: hash,
  choice: null,
  meaning: null,
  acknowledged: [],
})

/** A keeper whose writes the test ends. */
function makeKeeper() {
  const changes: PileChange[] = []
  const answers: ((isKept: boolean) => void)[] = []
  const keeper = new PileKeeper('/upload', 'me', (change) => {
    changes.push(change)
    return new Promise((resolve) => answers.push(resolve))
  })
  const show = (files: Record<string, UnsavedFile>, publishing: PileState['publishing'] = NOW) =>
    keeper.notice(() => ({ files: new Map(Object.entries(files)), publishing }))
  async function answer(isKept = true): Promise<void> {
    answers.shift()!(isKept)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { keeper, changes, show, answer }
}

const soon = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const namesOf = (change: PileChange | undefined) => Object.keys(change?.files ?? {})

describe('a page that keeps its pile', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('a page stores its pile at once, one write at a time, and only what has changed since', async () => {
    const { changes, show, answer } = makeKeeper()
    show({ f1: file('a'), f2: file('b') })
    await soon()
    expect(changes).toEqual([
      { form: '/upload', pile: 'me', publishing: NOW, files: { f1: file('a'), f2: file('b') }, gone: [] },
    ])
    show({ f1: file('a', 'h1'), f2: file('b') })
    show({ f1: file('a', 'h1'), f3: file('c') })
    await soon(60_000)
    expect(changes).toHaveLength(1)
    await answer()
    await soon(999)
    expect(changes).toHaveLength(1)
    await soon(1)
    expect(changes[1]).toMatchObject({ files: { f1: file('a', 'h1'), f3: file('c') }, gone: ['me.f2'] })
    await answer()
    show({ f1: file('a', 'h1'), f3: file('c') })
    await soon(60_000)
    expect(changes).toHaveLength(2)
  })

  it('a page sends nothing of a pile that was never there, and everything of one that was emptied', async () => {
    const { changes, show, answer } = makeKeeper()
    show({}, { ...NOW, way: 'draft' })
    await soon(60_000)
    expect(changes).toEqual([])
    show({ f1: file('a') })
    await soon()
    await answer()
    show({})
    await soon(60_000)
    expect(changes[1]).toMatchObject({ files: {}, gone: ['me.f1'] })
  })

  it('a page stores how the files are to be published', async () => {
    const { changes, show, answer } = makeKeeper()
    show({ f1: file('a') })
    await soon()
    await answer()
    show({ f1: file('a') }, { ...NOW, way: 'draft' })
    await soon(1000)
    expect(changes[1]).toMatchObject({ files: {}, publishing: { way: 'draft' } })
  })

  it('a page stores again what did not get through', async () => {
    const { changes, show, answer } = makeKeeper()
    show({ f1: file('a') })
    await soon()
    await answer(false)
    await soon(9999)
    expect(changes).toHaveLength(1)
    await soon(1)
    expect(changes[1]).toEqual(changes[0])
  })

  it('a page stores a large pile in parts, and takes others over only when it has them all', async () => {
    const { keeper, changes, show, answer } = makeKeeper()
    show(Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`f${index}`, file('a')])))
    keeper.takeOver(['other.f1', 'me2.f2'])
    for (const [many, gone] of [
      [500, []],
      [500, []],
      [200, ['other.f1', 'me2.f2']],
    ] as const) {
      await soon(1000)
      expect(namesOf(changes.at(-1))).toHaveLength(many)
      expect(changes.at(-1)!.gone).toEqual(gone)
      await answer()
    }
    await soon(60_000)
    expect(changes).toHaveLength(3)
  })

  it('a page stores nothing while the form is saved, and everything again when only some of it was', async () => {
    const { keeper, changes, show, answer } = makeKeeper()
    show({ f1: file('a'), f2: file('b') })
    await soon()
    await answer()
    keeper.notice(null)
    keeper.leave()
    await soon(60_000)
    expect(changes).toHaveLength(1)
    keeper.startOver()
    show({ f2: file('b') })
    await soon(1000)
    expect(changes[1]).toMatchObject({ files: { f2: file('b') }, gone: [] })
  })

  it('a page stores all that is new before the form is saved, although the pause is not over', async () => {
    const { keeper, changes, show, answer } = makeKeeper()
    show({ f1: file('a'), f2: file('b') })
    await soon()
    show({ f1: file('a', 'h1'), f2: file('b', 'h2') })
    const flushed = keeper.flush()
    keeper.notice(null)
    await answer()
    expect(changes[1]).toMatchObject({ files: { f1: file('a', 'h1'), f2: file('b', 'h2') } })
    await answer()
    expect(await flushed).toBe(true)
    await soon(60_000)
    expect(changes).toHaveLength(2)
  })

  it('a page that saves knows whether the server has taken all that is left out', async () => {
    const { keeper, show, answer } = makeKeeper()
    show({ f1: file('a', 'h1') })
    const refused = keeper.flush()
    await soon()
    await answer(false)
    expect(await refused).toBe(false)
    const taken = keeper.flush()
    await soon()
    await answer()
    expect(await taken).toBe(true)
    expect(await keeper.flush()).toBe(true) // nothing is new
    keeper.notice(null)
  })

  it('a page stores what fits when it is left', async () => {
    const { keeper, changes, show } = makeKeeper()
    show(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, file('æ'.repeat(100))])))
    keeper.leave()
    expect(namesOf(changes[0]).length).toBeGreaterThan(20)
    expect(JSON.stringify(changes[0]).length).toBeLessThan(64_000)
    keeper.stop()
  })
})

it('a pile is stored with its decisions, without files that are never sent', () => {
  const limits = { bytes: 100, files: 9 }
  const [one, huge, odd] = [
    new File(['x'], 'Brev.pdf'),
    new File(['x'.repeat(101)], 'Stor.pdf'),
    new File(['x'], `${'x'.repeat(300)}.pdf`),
  ]
  const uploads = [
    { ...newUpload(one, 'Budget (7).pdf', limits), id: 'a', hashName: 'h', choice: 'keep' as const },
    newUpload(huge, 'Stor.pdf', limits),
    { ...newUpload(odd, 'Diverse (8).pdf', limits), id: 'b' },
  ]
  const user = { id: 1, name: 'Anne', numbers: ['7'] }
  const double = {
    key: '7',
    project: { number: '7', name: 'K/S' },
    user,
    meaning: 'person',
    files: 1,
  } as const
  expect(Object.fromEntries(unsavedFilesOf(uploads, [double], new Map([['b', ['year']]])))).toEqual({
    a: {
      name: 'Budget (7).pdf',
      original: 'Brev.pdf',
      size: 1,
      hash_name: 'h',
      choice: 'keep',
      meaning: 'person',
      acknowledged: [],
    },
    b: {
      name: 'Diverse (8).pdf',
      original: 'Diverse (8).pdf',
      size: 1,
      hash_name: null,
      choice: null,
      meaning: null,
      acknowledged: ['year'],
    },
  })
})
