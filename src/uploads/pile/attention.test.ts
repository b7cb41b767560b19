import { expect, it } from 'vitest'
import type { Judgement } from '../papers/judgement.ts'
import { newUpload } from '../transport/upload.ts'
import {
  attentionOf,
  isBlocking,
  lookText,
  standingOfIgnored,
  standingOfPlaced,
  type LookKind,
} from './attention.ts'
import type { Finding } from './duplicate.ts'
import { openKeys, seenKey } from './judgements.ts'
import type { Group, Ignored, UploadForm } from './pile.ts'

const guess = (name: string) => ({ place: { user: { id: 1, name: 'Ida' } }, name, reasons: [] })
const judgement = (change: Partial<Judgement>): Judgement => ({
  hash_name: 'a'.repeat(32),
  state: 'read',
  sureness: 'unknown',
  best: null,
  second: null,
  contradictions: [],
  ...change,
})
const year = { kind: 'year', named: 2025, found: 2024, page: 1 } as const
const project = { kind: 'project', named: '1024', found: '1148', by: 'name', said: 'Andet', page: 1 } as const
const unreadable = { kind: 'unreadable', reason: 'Den er låst.' } as const
const missing = (near: string | null): Ignored['fault'] => ({
  kind: 'folder',
  folder: 'Arsrapport',
  project: '1024',
  projectId: 1,
  near,
})
const noName: Ignored['fault'] = { kind: 'name', of: 'all' }
const [sure, maybe] = [
  judgement({ sureness: 'sure', best: guess('Brev (2001).pdf') }),
  judgement({ sureness: 'maybe', best: guess('Brev (2001).pdf') }),
]

const named = (change: Partial<Finding> = {}): Finding => ({
  kind: 'same-name',
  text: 'Der ligger en anden fil med samme navn i mappen.',
  why: '',
  isSkipped: false,
  replaces: 7,
  choice: null,
  ...change,
})
const there = named({ kind: 'same-bytes', isSkipped: true, choice: 'skip' })

type Placed = Parameters<typeof standingOfPlaced>[0]

it.each<[what: string, Partial<Placed>, string]>([
  ['has its place', {}, 'ready'],
  ['is being sent', { upload: { state: 'sending', choice: null } }, 'ready'],
  ['could not be sent', { upload: { state: 'failed', choice: null } }, 'failed'],
  [
    'could not be sent, and contradicts itself',
    { upload: { state: 'failed', choice: null }, open: [year] },
    'failed',
  ],
  ['is from another year', { open: [year] }, 'year'],
  ['is from another year and another project', { open: [year, project] }, 'project'],
  ['cannot be read, so it is held', { open: [unreadable] }, 'ready'],
  ['cannot be read and is compared with nothing', { open: [unreadable, { kind: 'place' }] }, 'place'],
  ['has the name of another', { finding: named() }, 'same-name'],
  [
    'has the name of another and stays beside it by default',
    { finding: named({ choice: 'keep' }) },
    'same-name',
  ],
  [
    'has the name of another, and somebody has chosen',
    { upload: { state: 'sent', choice: 'version' }, finding: named({ choice: 'version' }) },
    'ready',
  ],
  ['exists already and is skipped', { finding: there }, 'ready'],
  ['exists already, is skipped, and contradicts itself', { finding: there, open: [year] }, 'ready'],
  [
    'exists already and is kept all the same',
    { upload: { state: 'sent', choice: 'keep' }, finding: named({ kind: 'same-bytes', choice: 'keep' }) },
    'ready',
  ],
])('a file that %s', (_, change, where) => {
  const standing = standingOfPlaced({
    upload: { state: 'sent', choice: null },
    finding: undefined,
    open: [],
    ...change,
  })
  expect(standing).toEqual(where === 'ready' ? { group: 'ready' } : { group: 'look', why: where })
})

it.each<[what: string, Omit<Ignored, 'upload'>, string]>([
  ['has no number', { fault: noName, proposal: null }, 'nowhere'],
  ['is refused', { fault: { kind: 'refused', text: 'Filen er tom.' }, proposal: null }, 'nowhere'],
  ['has a folder that does not exist', { fault: missing(null), proposal: null }, 'nowhere'],
  ['has a misspelt folder', { fault: missing('Årsrapport'), proposal: null }, 'near'],
  ['nearly follows the rule', { fault: noName, proposal: 'Brev (2001).pdf' }, 'nearly'],
  ['is being read', { fault: noName, proposal: null, judgement: judgement({ state: 'waiting' }) }, 'nowhere'],
  ['says nothing', { fault: noName, proposal: null, judgement: judgement({}) }, 'nowhere'],
  [
    'says for certain where it belongs',
    { fault: noName, proposal: 'Brev (2001).pdf', judgement: sure },
    'sure',
  ],
  [
    'says for certain that it belongs elsewhere than its name nearly says',
    { fault: noName, proposal: 'Brev (2002).pdf', judgement: sure },
    'nearly',
  ],
  ['may belong somewhere', { fault: noName, proposal: null, judgement: maybe }, 'maybe'],
  [
    'has a misspelt folder and may belong elsewhere',
    { fault: missing('Årsrapport'), proposal: null, judgement: maybe },
    'maybe',
  ],
  [
    'is several people’s',
    {
      fault: missing('Årsrapport'),
      proposal: null,
      judgement: judgement({ owners: { names: ['Ida', 'Bo'], divides: true } }),
    },
    'owners',
  ],
])('a file without a place that %s', (_, ignored, where) => {
  const standing = standingOfIgnored(ignored)
  expect(standing.group === 'look' ? standing.why : standing.group).toBe(where)
})

const upload = (id: string, change = {}) => ({
  ...newUpload(new File(['x'], `${id}.pdf`), `${id}.pdf`, { bytes: 9, files: 9 }),
  id,
  state: 'sent' as const,
  ...change,
})
const group = (key: string, ...ids: string[]): Group => ({
  key,
  target: {},
  uploads: ids.map((id) => upload(id)),
  bytes: ids.length,
})
const ignored = (id: string, change: Partial<Ignored>): Ignored => ({
  upload: upload(id),
  fault: noName,
  proposal: null,
  ...change,
})
const all: UploadForm = { kind: 'folders', project: null }
const groups = [group('one', 'a', 'b'), group('two', 'c')]
const judgements = new Map([
  ['a', judgement({ contradictions: [year, unreadable] })],
  ['c', judgement({ contradictions: [year, project] })],
])

it('divides a pile by what it needs from a person, contradictions first', () => {
  const pile = {
    groups,
    ignored: [
      ignored('d', { judgement: maybe }),
      ignored('e', { fault: missing('Årsrapport') }),
      ignored('f', { fault: missing('Årsregnskab') }),
      ignored('g', {}),
      ignored('h', { proposal: 'Brev (2001).pdf', judgement: sure }),
    ],
  }
  const found = attentionOf(all, pile, new Map(), judgements, new Set())
  expect(found.looks.map((look) => [look.why, look.files.map((file) => file.upload.id)])).toEqual([
    ['project', ['c']],
    ['year', ['a']],
    ['near', ['e']],
    ['near', ['f']],
    ['maybe', ['d']],
  ])
  expect(found.ready.map(({ key, uploads, bytes }) => [key, uploads.map(({ id }) => id), bytes])).toEqual([
    ['one', ['b'], 1],
  ])
  expect([found.nowhere, found.sure].map((some) => some.map((each) => each.upload.id))).toEqual([
    ['g'],
    ['h'],
  ])
  expect(lookText(found.looks[2]!)).toBe('Mappen ”Arsrapport” findes ikke')
})

it('a file with an answer is ready, or has its next question', () => {
  const seen = new Set([seenKey('a', year), seenKey('c', project)])
  const found = attentionOf(all, { groups, ignored: [] }, new Map(), judgements, seen)
  expect(found.looks.map((look) => [look.why, look.files.map((file) => file.upload.id)])).toEqual([
    ['year', ['c']],
  ])
  expect(found.ready[0]).toBe(groups[0])
  expect(openKeys(judgements, seen, 'year', ['c'])).toEqual([seenKey('c', year)])
})

it('S4.6 a form with one place keeps all its files in one group', () => {
  const form: UploadForm = { kind: 'person', user: { id: 1, name: 'Ida', readers: [] } }
  const found = attentionOf(form, { groups, ignored: [] }, new Map(), judgements, new Set())
  expect(found).toEqual({ sure: [], looks: [], nowhere: [], ready: groups })
})

it.each<[LookKind, Finding | undefined, boolean]>([
  ['year', undefined, true],
  ['place', undefined, true],
  ['same-name', named(), true],
  ['same-name', named({ choice: 'keep' }), false],
  ['maybe', undefined, false],
  ['failed', undefined, false],
])('%s stops saving only if it has to be answered', (why, finding, isStopped) => {
  const look = { key: why, why, files: [{ upload: upload('a'), group: groups[0]! }] }
  expect(isBlocking(look, new Map(finding && [['a', finding]]))).toBe(isStopped)
})
