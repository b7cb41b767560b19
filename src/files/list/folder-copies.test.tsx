import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { EVERYTHING } from '../../base/list-query.ts'
import { ROLES, may, type Role } from '../../rights.ts'
import { FrameProvider, type Frame } from '../../ui/basic/frame.ts'
import type { FolderSection as Folder, ListedFile } from '../file/stored-file.ts'
import { writeFolders } from './folder-copies.tsx'
import { FolderSection, type FolderSectionProps } from './folder-section.tsx'
import { FilesScreenProvider, type FilesScreen } from '../screen/use-files-screen.ts'

const NASTY = `<b>"Å" & 'Ø'</b> $& ½ %2F 7770001 Eksempelfilen`

const file = (id: number, more: Partial<ListedFile> = {}): ListedFile => ({
  id,
  name: `${NASTY} ${id}.pdf`,
  path: `${'0'.repeat(31)}${id}/${NASTY} ${id}.pdf`,
  size: 1000 * id,
  created_at: `2026-03-${String(1 + (id % 28)).padStart(2, '0')}T23:30:00.000Z`,
  period: id % 2 === 0 ? '2025' : null,
  is_period_given: false,
  mime: 'application/pdf',
  is_new: false,
  from_investor: false,
  held: null,
  is_version: false,
  waiting: null,
  is_asked: false,
  ...more,
})

const folder = (id: number, count: number, more: Partial<Folder> = {}): Folder => ({
  id,
  name: `${NASTY} ${id}`,
  visible_to_investors: id % 2 === 0,
  files_count: count,
  new_count: 0,
  files: Array.from({ length: Math.min(count, 5) }, (_, index) => file(10 * id + index)),
  new_files: [],
  ...more,
})

const TYPES = ['image/png', 'text/csv', 'application/zip', 'application/octet-stream', 'text/plain']

const FOLDERS = [
  ...[0, 1, 2, 5, 6, 7, 2000, 1_000_000].map((count, index) => folder(index + 1, count)),
  folder(20, 5, { files: TYPES.map((mime, index) => file(300 + index, { mime })) }),
  folder(21, 2, { files: [file(400, { name: 'Liste.CSV', mime: 'text/plain' }), file(401)] }),
  folder(22, 3, { files: [file(500, { from_investor: true }), file(501, { is_new: true }), file(502)] }),
  folder(24, 3, {
    files: ['2024.pdf', 'a (b).pdf', '.pdf'].map((rest, index) =>
      file(700 + index, { name: `${NASTY} 24 (1024) ${rest}` }),
    ),
  }),
  folder(25, 4, {
    files: ['2025-Q3', '2025', null, '2025-Q3'].map((period, index) =>
      file(800 + index, { period, is_period_given: index < 3 }),
    ),
  }),
  folder(23, 9, { new_count: 2, new_files: [file(600, { is_new: true }), file(601, { is_new: true })] }),
]

type Case = { role: Role; hasAuditor?: boolean; page?: number; q?: string; owner?: FilesScreen['owner'] }

/** Returns what is written, and what React alone would draw. */
function bothOf({ role, hasAuditor = false, page = 1, q = '', owner = { project: 12 } }: Case) {
  const frame: Frame = {
    demo: false,
    office: NO_OFFICE,
    warning: null,
    factorDue: null,
    viewing: null,
    timeZone: 'Europe/Copenhagen',
    seen: '',
    theme: 'auto',
    help: '/help',
    path: '/',
    url: '/',
    token: '',
    narrow: false,
    waiting: null,
    user: {
      id: 1,
      name: 'Ida',
      email: 'ida@example.dk',
      role,
      roleName: '',
      image: null,
      provesWith: 'password',
    },
  }
  const screen: FilesScreen = {
    owner,
    seenBy: NASTY,
    number: '1024',
    hasAuditor,
    crossesNewYear: hasAuditor,
    mayChange: may(role, 'changeFiles'),
    maySeeHistory: may(role, 'seeFileHistory'),
    moving: new Set(),
    looked: null,
    openLook: () => undefined,
    gone: new Set(),
    read: new Set(),
    onRead: () => undefined,
    open: new Set(),
    sections: new Map(),
    q,
    openActions: () => undefined,
    openFolderActions: () => undefined,
    openMove: () => undefined,
    openDelete: () => undefined,
    openRename: () => undefined,
    openPeriod: () => undefined,
    moveTo: () => undefined,
    place: () => undefined,
    sort: () => undefined,
    say: () => undefined,
  }
  const sections: FolderSectionProps[] = FOLDERS.map((each) => ({
    folder: each,
    query: { ...EVERYTHING, q, page },
    news: each.new_count,
    opened: null,
    by: {},
  }))
  let drawn = 0
  const draw: Parameters<typeof writeFolders>[3] = (part, around = screen) => {
    drawn++
    return renderToString(
      <FrameProvider value={frame}>
        <FilesScreenProvider value={around}>{part}</FilesScreenProvider>
      </FrameProvider>,
    )
  }
  const write = () => writeFolders(sections, frame, screen, draw).replaceAll('</section>', '</section>\n')
  const wanted = sections.map((section) => `${draw(<FolderSection {...section} />)}\n`).join('')
  const written = write()
  drawn = 0
  const again = write()
  return { wanted, written, again, drawnAgain: drawn }
}

const CASES: Case[] = [
  ...ROLES.map((role) => ({ role })),
  { role: 'employee', hasAuditor: true },
  { role: 'administrator', page: 3 },
  { role: 'employee', q: 'budget' },
  { role: 'administrator', owner: { user: 4 } },
]

describe('the folders that the server writes', () => {
  it.each(CASES)('the server writes the same folders as React: $role $hasAuditor $page $q $owner', (each) => {
    const { wanted, written, again } = bothOf(each)
    expect(written).toBe(wanted)
    expect(again).toBe(wanted)
  })

  it('React draws a folder once per kind, except one with news', () => {
    expect(bothOf({ role: 'investor' }).drawnAgain).toBe(1)
  })
})
