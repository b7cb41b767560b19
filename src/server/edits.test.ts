import { describe, expect, it } from 'vitest'
import { joinEdits, type Edit } from './edits.ts'

const WORDS = {
  name: 'Navn',
  cvr: 'CVR-nr.',
  tags: 'Navne',
  on: { label: 'Til', say: (on: boolean) => (on ? 'til' : 'fra') },
}
const WAS = { name: 'Gammel', cvr: null as string | null, tags: ['a'], on: false }

const edit = (more: Partial<Edit> = {}): Edit => ({ was: WAS, seen: {}, chosen: {}, ...more })

describe('a form that two people have open', () => {
  it.each([
    ['takes my change', { name: 'Min' }, {}, { name: 'Min' }],
    ['keeps the change of a field that I did not touch', {}, { name: 'Deres' }, { name: 'Deres' }],
    [
      'joins changes of different fields',
      { name: 'Min' },
      { cvr: '12345674' },
      { name: 'Min', cvr: '12345674' },
    ],
    ['takes what both wrote alike', { name: 'Ens' }, { name: 'Ens' }, { name: 'Ens' }],
    ['takes an emptied list', { tags: [] }, {}, { tags: [] }],
  ] as const)('%s', (_what, mine, theirs, wanted) => {
    const { values, clashes } = joinEdits<typeof WAS>(edit(), WORDS, { ...WAS, ...mine } as typeof WAS, {
      ...WAS,
      ...theirs,
    })
    expect({ values, clashes }).toEqual({ values: { ...WAS, ...wanted }, clashes: [] })
  })

  it('two changes of the same field clash, with both values in words', () => {
    const now = { ...WAS, name: 'Deres', cvr: '12345674', tags: ['a', 'b'] }
    const mine = { ...WAS, name: 'Min', cvr: '87654325', tags: [] }
    expect(joinEdits<typeof WAS>(edit(), WORDS, mine, now).clashes).toEqual([
      { name: 'name', label: 'Navn', mine: 'Min', theirs: 'Deres' },
      { name: 'cvr', label: 'CVR-nr.', mine: '87654325', theirs: '12345674' },
      { name: 'tags', label: 'Navne', mine: '(tomt)', theirs: 'a, b' },
    ])
  })

  it('saves the value that the person chose after seeing both, and asks again when it has changed once more', () => {
    const now = { ...WAS, name: 'Deres', cvr: '12345674' }
    const mine = { ...WAS, name: 'Min', cvr: '87654325' }
    const chosen = edit({ seen: now, chosen: { name: 'mine', cvr: 'theirs' } })
    expect(joinEdits<typeof WAS>(chosen, WORDS, mine, now)).toEqual({
      values: { ...now, name: 'Min' },
      clashes: [],
    })
    const again = joinEdits<typeof WAS>(chosen, WORDS, mine, { ...now, name: 'Tredje' })
    expect(again.clashes).toEqual([{ name: 'name', label: 'Navn', mine: 'Min', theirs: 'Tredje' }])
    const unchosen = joinEdits<typeof WAS>(edit({ seen: now }), WORDS, mine, now)
    expect(unchosen.clashes.map(({ name }) => name)).toEqual(['name', 'cvr'])
  })

  it('a clash describes values in words', () => {
    const was = { ...WAS, on: null as unknown as boolean }
    const { clashes } = joinEdits<typeof WAS>(edit({ was }), WORDS, { on: true }, { ...WAS, on: false })
    expect(clashes).toEqual([{ name: 'on', label: 'Til', mine: 'til', theirs: 'fra' }])
  })

  it('a form without its opening values, as a program may send it, is saved', () => {
    const { values, clashes } = joinEdits<typeof WAS>(null, WORDS, { name: 'Min' }, { ...WAS, name: 'Deres' })
    expect({ values, clashes }).toEqual({ values: { ...WAS, name: 'Min' }, clashes: [] })
  })
})
