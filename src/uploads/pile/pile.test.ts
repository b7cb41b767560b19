import { describe, expect, it } from 'vitest'
import { newValues } from '../../base/fields/field.ts'
import { OWN_FIELDS } from '../../projects/project/project.fields.ts'
import {
  learn,
  NOTHING_KNOWN,
  proposalId,
  questionOf,
  sortPile,
  whereTo,
  type Meanings,
  type UploadForm,
} from './pile.ts'
import { newUpload } from '../transport/upload.ts'

const project = {
  ...newValues(OWN_FIELDS, { number: '1024', name: 'K/S Nordhavn' }),
  id: 1,
  has_auditor: false,
}
const budget = { id: 11, name: 'Budget', visible_to_investors: true }
const sundry = { id: 12, name: 'Diverse', visible_to_investors: false }
const ANSWER = {
  projects: {
    '1024': { ...project, folders: { Budget: budget, Diverse: sundry }, near: { budget: 'Budget' } },
    '987': {
      id: 2,
      number: '987',
      name: 'K/S Zealand',
      has_auditor: false,
      folders: { Budget: { ...budget, id: 21 } },
      near: {},
    },
  },
  users: { '2001': { id: 5, name: 'Åse' }, '2002': { id: 6, name: 'Bo' } },
}
const ALL: UploadForm = { kind: 'folders', project: null }
const ONE: UploadForm = { kind: 'folders', project }
const USERS: UploadForm = { kind: 'users' }
const SIMPLE: UploadForm = { kind: 'simple', userId: 5, readers: [] }
const MANUAL: UploadForm = { kind: 'manual', project, folder: sundry }

function sort(form: UploadForm, names: string[]) {
  const asked = names.flatMap((name) => [questionOf(form, name)?.id ?? [], proposalId(name)].flat())
  const known = learn(NOTHING_KNOWN, ANSWER, asked)
  const uploads = names.map((name) => newUpload(new File(['%PDF'], name), name, { bytes: 1000, files: 10 }))
  const { groups, ignored, unsure } = sortPile(uploads, ({ name }) => whereTo(form, known, name))
  return {
    groups: groups.map(({ target: { project: of, folder, user }, uploads: theirs, bytes }) => [
      [of?.number, folder?.name ?? user?.name].filter(Boolean).join(' '),
      theirs.length,
      bytes,
    ]),
    ignored: ignored.map(({ upload, fault }) => [upload.name, fault.kind]),
    unsure: unsure.length,
  }
}

describe('sortPile', () => {
  it('S4.4 groups by project and folder, projects by number', () => {
    expect(sort(ALL, ['Diverse (1024) a', 'Budget (987) a', 'Budget (1024) a', 'Budget (1024) b'])).toEqual({
      groups: [
        ['987 Budget', 1, 4],
        ['1024 Budget', 2, 8],
        ['1024 Diverse', 1, 4],
      ],
      ignored: [],
      unsure: 0,
    })
  })

  it('S4.5 ignores files that lead nowhere, and files of another project if one is set', () => {
    const names = ['Budget (1024)', 'budget (1024)', 'Ferie (1024)', 'Budget (987)', 'Budget (1)', 'Budget']
    expect(sort(ALL, names).ignored).toEqual([
      ['budget (1024)', 'folder'],
      ['Ferie (1024)', 'folder'],
      ['Budget (1)', 'number'],
      ['Budget', 'name'],
    ])
    expect(sort(ONE, names).ignored).toEqual([
      ['budget (1024)', 'folder'],
      ['Ferie (1024)', 'folder'],
      ['Budget (987)', 'other-project'],
      ['Budget (1)', 'other-project'],
      ['Budget', 'name'],
    ])
  })

  it('S5.4 groups by person, by name', () => {
    expect(sort(USERS, ['x (2001)', 'y (2002)', 'z (2001)', 'x (9)', 'x'])).toEqual({
      groups: [
        ['Bo', 1, 4],
        ['Åse', 2, 8],
      ],
      ignored: [
        ['x (9)', 'user'],
        ['x', 'name'],
      ],
      unsure: 0,
    })
  })

  it('sorts files of projects and of people in one pile, people last', () => {
    expect(
      sort(ALL, ['Brev (2001)', '(2002)', 'Budget (1024) a', 'Årsopgørelse (2001)', 'Budget (987)']).groups,
    ).toEqual([
      ['987 Budget', 1, 4],
      ['1024 Budget', 1, 4],
      ['Bo', 1, 4],
      ['Åse', 2, 8],
    ])
  })

  it('asks once about a number of both kinds, for all files with it, and remembers the answer', () => {
    const answer = { ...ANSWER, users: { ...ANSWER.users, '987': { id: 7, name: 'Ib' } } }
    const names = ['Budget (987) a', 'Brev (987)', '(987) b', 'Budget (1024)']
    const known = learn(
      NOTHING_KNOWN,
      answer,
      names.flatMap((name) => [questionOf(ALL, name)!.id, proposalId(name)]),
    )
    const uploads = names.map((name) => newUpload(new File(['x'], name), name, { bytes: 9, files: 9 }))
    const sorted = (meanings: Meanings) => {
      const pile = sortPile(uploads, ({ name }) => whereTo(ALL, known, name, meanings))
      return {
        groups: pile.groups.map(({ target, uploads: theirs }) => [
          target.folder?.name ?? target.user?.name,
          theirs.length,
        ]),
        undecided: pile.undecided.length,
        ignored: pile.ignored.map(({ upload }) => upload.name),
        doubles: pile.doubles.map(({ key, meaning, files }) => [key, meaning, files]),
      }
    }
    expect(sorted(new Map())).toEqual({
      groups: [['Budget', 1]],
      undecided: 3,
      ignored: [],
      doubles: [['987', null, 3]],
    })
    expect(sorted(new Map([['987', 'person']]))).toEqual({
      groups: [
        ['Budget', 1],
        ['Ib', 3],
      ],
      undecided: 0,
      ignored: [],
      doubles: [['987', 'person', 3]],
    })
    expect(sorted(new Map([['987', 'project']]))).toEqual({
      groups: [
        ['Budget', 1],
        ['Budget', 1],
      ],
      undecided: 0,
      ignored: ['Brev (987)', '(987) b'],
      doubles: [['987', 'project', 3]],
    })
  })

  it('S4.6 has one group in the manual form, whatever the names', () => {
    expect(sort(MANUAL, ['x', 'Budget (9) y']).groups).toEqual([['1024 Diverse', 2, 8]])
  })

  it('S4.7 takes only PDFs in the simple form', () => {
    expect(sort(SIMPLE, ['a.pdf', 'b.PDF', 'c.docx', 'pdf', 'd.pdf.exe'])).toEqual({
      groups: [['', 2, 8]],
      ignored: [
        ['c.docx', 'not-pdf'],
        ['pdf', 'not-pdf'],
        ['d.pdf.exe', 'not-pdf'],
      ],
      unsure: 0,
    })
  })

  it('uses the name that was meant, once the server has said so', () => {
    const name = 'Budget 1024.pdf'
    const answer = { ...ANSWER, proposals: { [name]: 'Budget (1024).pdf' } }
    expect(whereTo(ALL, learn(NOTHING_KNOWN, answer, []), name)).toBe('unsure')
    const known = learn(NOTHING_KNOWN, answer, [proposalId(name), proposalId('constructor')])
    expect(whereTo(ALL, known, name)).toMatchObject({ proposal: 'Budget (1024).pdf' })
    expect(whereTo(ALL, known, 'constructor')).toMatchObject({ proposal: null })
  })

  it('does not guess where a name leads before the server has answered', () => {
    const upload = newUpload(new File(['x'], 'x'), 'Budget (1024)', { bytes: 9, files: 9 })
    const { unsure, ignored } = sortPile([upload], ({ name }) => whereTo(ALL, NOTHING_KNOWN, name))
    expect([unsure.length, ignored.length]).toEqual([1, 0])
  })
})

it.each([
  [0, 'Filen er tom.'],
  [1, null],
  [1000, null],
  [1001, 'Filen er for stor. En fil må højst fylde 1000 Bytes.'],
])('a file of %d bytes is refused with %j', (size, refusal) => {
  const file = new File(['x'.repeat(size)], 'x.pdf')
  expect(newUpload(file, file.name, { bytes: 1000, files: 9 }).refusal).toBe(refusal)
})

it('a file with half a surrogate pair in its name is refused before it is sent', () => {
  const name = 'a\ud800.pdf'
  expect(newUpload(new File(['x'], name), name, { bytes: 1000, files: 9 }).refusal).toBe(
    'Filnavnet har tegn, der ikke kan læses. Omdøb filen, og prøv igen.',
  )
})

it('a new answer is added to earlier ones', () => {
  const one = learn(
    NOTHING_KNOWN,
    { projects: { '1': { ...ANSWER.projects['987'], folders: { A: budget } } }, users: {} },
    ['a'],
  )
  const both = learn(
    one,
    { projects: { '1': { ...ANSWER.projects['987'], folders: { B: sundry } } }, users: {} },
    ['b'],
  )
  expect(both.projects['1']!.folders).toEqual({ A: budget, B: sundry })
  expect([...both.asked]).toEqual(['a', 'b'])
})
