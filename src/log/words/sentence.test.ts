import { describe, expect, it } from 'vitest'
import { ACT_GROUPS, ACT_NAMES } from './act-names.ts'
import { ACTS } from './act.ts'
import type { LogEntry } from './entry.ts'
import { exportLine } from '../export.ts'
import { sentenceOf, textOf, whoOf } from './sentence.ts'

const ENTRY: LogEntry = {
  id: 1,
  at: '2026-03-12T12:00:00Z',
  act: 'sign-in',
  user: { id: 1, name: 'Kirsten Overgaard', email: 'kirsten@example.dk' },
  seen_as: null,
  token: null,
  lender: null,
  subject: null,
  project: null,
  folder: null,
  file: null,
  address: null,
  detail: null,
  release: null,
  names: null,
}
const project = { id: 3, number: '1024', name: 'K/S Nordhavn Kontorhus' }
const folder = { id: 5, name: 'Årsrapport' }
const file = {
  id: 123,
  name: 'Årsrapport 2024.pdf',
  path: 'abc/Årsrapport 2024.pdf',
  owner: { project: 3 },
  in_trash: false,
}
const gone = { id: 123, name: null, path: null, owner: null, in_trash: false }
const subject = { id: 7, name: 'Anne Holm', email: 'anne@example.dk' }
const names = { before: 'Gammelt {user}', after: 'Nyt' }
const inProject = { project, folder, file }

describe('the Danish sentence', () => {
  it.each<[Partial<LogEntry>, string]>([
    [{ act: 'sign-in' }, 'loggede ind'],
    [{ act: 'sign-in-failed', user: null, subject }, 'prøvede forgæves at logge ind som Anne Holm'],
    [{ act: 'sign-in-failed', user: null }, 'prøvede forgæves at logge ind med en ukendt e-mail'],
    [{ act: 'member-added', project, subject }, 'gjorde Anne Holm til medlem af K/S Nordhavn Kontorhus'],
    [{ act: 'release-planned', detail: '12' }, 'planlagde at udgive udsendelse nr. 12'],
    [
      { act: 'mails-asked', detail: 'reminder 12 287', release: { id: 12, name: 'Budget 2026 · Bo Holm' } },
      'bad om påmindelser om ”Budget 2026 · Bo Holm” til 287 personer',
    ],
    [
      { act: 'file-opened', ...inProject },
      'åbnede Årsrapport 2024.pdf i K/S Nordhavn Kontorhus › Årsrapport',
    ],
    [
      { act: 'file-opened', ...inProject, file: gone },
      'åbnede en fil, der er slettet for altid (nr. 123) i K/S Nordhavn Kontorhus › Årsrapport',
    ],
    [
      { act: 'file-deleted', ...inProject, file: { ...file, in_trash: true } },
      'slettede Årsrapport 2024.pdf (i papirkurven) fra K/S Nordhavn Kontorhus › Årsrapport',
    ],
    [
      { act: 'file-removed', ...inProject, user: null, file: gone },
      'slettede en fil for altid (nr. 123) fra K/S Nordhavn Kontorhus › Årsrapport',
    ],
    [
      { act: 'file-moved', ...inProject, folder: { id: 5, name: null } },
      'flyttede Årsrapport 2024.pdf til K/S Nordhavn Kontorhus › en mappe, der er slettet (nr. 5)',
    ],
    [
      { act: 'file-moved', ...inProject, detail: 'undo' },
      'fortrød og flyttede Årsrapport 2024.pdf tilbage til K/S Nordhavn Kontorhus › Årsrapport',
    ],
    [
      { act: 'file-deleted', ...inProject, detail: 'undo' },
      'fortrød og lagde Årsrapport 2024.pdf fra K/S Nordhavn Kontorhus › Årsrapport tilbage i papirkurven',
    ],
    [
      { act: 'file-renamed', ...inProject, names: { before: 'a.pdf', after: 'b.pdf' } },
      'omdøbte Årsrapport 2024.pdf i K/S Nordhavn Kontorhus › Årsrapport fra ”a.pdf” til ”b.pdf”',
    ],
    [
      { act: 'file-renamed', ...inProject, detail: 'undo', names: { before: 'b.pdf', after: 'a.pdf' } },
      'fortrød og omdøbte Årsrapport 2024.pdf i K/S Nordhavn Kontorhus › Årsrapport fra ”b.pdf” til ”a.pdf”',
    ],
    [
      { act: 'office-changed', detail: 'name,phone', names: { before: 'Havn', after: 'Nordhavn' } },
      'ændrede kontorets navn og telefonnummer, navnet fra ”Havn” til ”Nordhavn”',
    ],
    [
      { act: 'office-changed', detail: 'name', names: { before: 'Havn', after: 'Nordhavn' } },
      'ændrede kontorets navn fra ”Havn” til ”Nordhavn”',
    ],
    [
      { act: 'office-changed', detail: 'name', names: { before: '', after: 'Nordhavn' } },
      'ændrede kontorets navn',
    ],
    [{ act: 'test-mail-sent', detail: 'accepted' }, 'sendte en prøvemail, som mailserveren tog imod'],
    [
      { act: 'test-mail-sent', detail: 'silent' },
      'prøvede at sende en prøvemail, som mailserveren ikke tog imod',
    ],
    [{ act: 'report-opened', subject }, 'åbnede Anne Holms rapport'],
    [{ act: 'report-downloaded', subject }, 'hentede Anne Holms rapport som Excel'],
    [{ act: 'file-added', file, folder, subject }, 'uploadede Årsrapport 2024.pdf til Anne Holms filer'],
    [
      { act: 'file-added', file, folder, subject: { id: 8, name: 'Lars Friis', email: 'l@example.dk' } },
      'uploadede Årsrapport 2024.pdf til Lars Friis’ filer',
    ],
    [
      { act: 'file-downloaded', file, folder, subject, user: subject },
      'hentede Årsrapport 2024.pdf fra sine egne filer',
    ],
    [
      { act: 'folder-removed', project, folder: { id: 5, name: null } },
      'slettede en mappe (nr. 5) i K/S Nordhavn Kontorhus',
    ],
    [{ act: 'folder-changed', folder }, 'ændrede mappen Årsrapport i mappeskabelonen'],
    [
      { act: 'role-changed', subject, detail: 'investor>employee' },
      'ændrede rollen for Anne Holm fra investor til medarbejder',
    ],
    [
      { act: 'role-changed', subject, detail: 'auditor>administrator' },
      'ændrede rollen for Anne Holm fra revisor til administrator',
    ],
    [{ act: 'role-changed', subject }, 'gav Anne Holm en anden rolle'],
    [{ act: 'role-changed', subject, detail: 'constructor>x' }, 'gav Anne Holm en anden rolle'],
    [
      { act: 'user-changed', subject, detail: 'name,email,numbers' },
      'ændrede navn, e-mail og numre for Anne Holm',
    ],
    [{ act: 'user-changed', subject, detail: 'name,numbers' }, 'ændrede navn og numre for Anne Holm'],
    [{ act: 'user-changed', subject, detail: 'email' }, 'ændrede e-mailen for Anne Holm'],
    [{ act: 'user-changed', subject }, 'ændrede oplysningerne om Anne Holm'],
    [
      { act: 'user-changed', subject, detail: 'name', names },
      'ændrede navnet for Anne Holm fra ”Gammelt {user}” til ”Nyt”',
    ],
    [
      { act: 'user-changed', subject, detail: 'name,email', names },
      'ændrede navn og e-mail for Anne Holm, navnet fra ”Gammelt {user}” til ”Nyt”',
    ],
    [{ act: 'profile-changed', names }, 'ændrede sit navn fra ”Gammelt {user}” til ”Nyt”'],
    [{ act: 'profile-changed' }, 'ændrede sin profil'],
    [
      { act: 'project-changed', project, names },
      'ændrede projektet K/S Nordhavn Kontorhus, navnet fra ”Gammelt {user}” til ”Nyt”',
    ],
    [
      { act: 'folder-changed', project, folder, names },
      'ændrede mappen Årsrapport i K/S Nordhavn Kontorhus, navnet fra ”Gammelt {user}” til ”Nyt”',
    ],
    [
      { act: 'folder-shared', project, folder },
      'delte mappen Årsrapport i K/S Nordhavn Kontorhus med investorer',
    ],
    [
      { act: 'folder-unshared', project, folder },
      'delte ikke længere mappen Årsrapport i K/S Nordhavn Kontorhus med investorer',
    ],
    [
      { act: 'folder-added', project, folder, detail: 'shared' },
      'oprettede mappen Årsrapport i K/S Nordhavn Kontorhus og delte den med investorer',
    ],
    [
      { act: 'asked-to-wait', user: null, detail: 'sign-in' },
      'blev bedt om at vente efter for mange forsøg på at logge ind',
    ],
    [{ act: 'asked-to-wait', user: null }, 'blev bedt om at vente efter for mange forespørgsler'],
    [{ act: 'log-exported' }, 'hentede loggen som CSV'],
    [
      { act: 'log-exported', subject, project },
      'hentede loggen om Anne Holm om K/S Nordhavn Kontorhus som CSV',
    ],
  ])('writes the entry %j as a sentence', (change, said) => {
    expect(textOf(sentenceOf({ ...ENTRY, ...change }))).toBe(said)
  })

  it.each(ACTS)('%s has a sentence, even if the entry has no details', (act) => {
    for (const known of [
      {},
      inProject,
      { ...inProject, subject, user: null },
      { subject, file: gone, folder },
    ]) {
      const said = textOf(sentenceOf({ ...ENTRY, act, ...known }))
      expect(said).toMatch(/^[a-zæøå]/)
      expect(said).not.toMatch(/[{}]|null/)
    }
    expect(ACT_NAMES[act].text).not.toBe('')
  })

  it('writes an act of a newer version as unknown', () => {
    const entry = JSON.parse(JSON.stringify({ ...ENTRY, act: 'flown-to-the-moon' })) as LogEntry
    expect(textOf(sentenceOf(entry))).toBe('gjorde noget, som denne udgave af Ringbind ikke kender')
    expect(exportLine(entry, 'Europe/Copenhagen')).toContain('Ukendt handling')
  })

  it('the list and the filter have every act once', () => {
    expect(new Set(ACTS).size).toBe(ACTS.length)
    expect(ACT_GROUPS.flatMap(([, acts]) => acts).sort()).toEqual([...ACTS].sort())
  })
})

describe('links to things that still exist', () => {
  const links = (change: Partial<LogEntry>) =>
    sentenceOf({ ...ENTRY, ...change }).flatMap(({ href }) => href ?? [])

  it.each<[string, Partial<LogEntry>, string[]]>([
    [
      'a file, its project and its folder',
      { act: 'file-opened', ...inProject },
      [
        '/projects/3/uploads/abc/%C3%85rsrapport%202024.pdf',
        '/projects/3/uploads',
        '/projects/3/uploads#folder-5',
      ],
    ],
    [
      'not to deleted things',
      { act: 'file-opened', project, folder: { id: 5, name: null }, file: gone },
      ['/projects/3/uploads'],
    ],
    [
      'a file in the trash: the trash',
      { act: 'file-deleted', ...inProject, file: { ...file, in_trash: true } },
      ['/projects/3/trash', '/projects/3/uploads', '/projects/3/uploads#folder-5'],
    ],
    [
      'a person’s file, where it is now',
      { act: 'file-opened', subject, folder, file: { ...file, owner: { user: 7 } } },
      ['/users/7/uploads/abc/%C3%85rsrapport%202024.pdf', '/users/7'],
    ],
    ['the template', { act: 'folder-added', folder }, ['/settings/folders', '/settings/folders']],
  ])('links to %s', (_what, change, hrefs) => {
    expect(links(change)).toEqual(hrefs)
  })
})

it.each<[Partial<LogEntry>, string]>([
  [{}, 'Kirsten Overgaard'],
  [{ user: null, act: 'file-removed' }, 'Systemet'],
  [{ user: null, act: 'sign-in-failed', address: null }, 'Ikke logget ind'],
  [{ user: null, act: 'password-reset-asked' }, 'Ikke logget ind'],
])('the actor of %j is %s', (change, who) => {
  expect(whoOf({ ...ENTRY, ...change })).toBe(who)
})
