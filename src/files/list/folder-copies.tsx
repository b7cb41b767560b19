import type { ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { shortDate } from '../../base/time/dates.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import type { Frame } from '../../ui/basic/frame.ts'
import { cutStencil, escapeHtml, type Stencil } from '../../ui/basic/stencil.ts'
import { fileUrls } from '../../urls.ts'
import { SHOWN_FILES, type FolderSection as Folder, type ListedFile } from '../file/stored-file.ts'
import { familyOf } from '../file/file-icon.tsx'
import { FileRow } from './file-row.tsx'
import { FolderSection, type FolderSectionProps } from './folder-section.tsx'
import { dimmedPart } from './dimmed-part.ts'
import type { FilesScreen } from '../screen/use-files-screen.ts'

/** Draws a part with React, on the list's own screen or on another. */
type DrawOn = (part: ReactNode, screen?: FilesScreen) => string

/**
 * Writes the HTML of a project's folders as React would (decision 31). React draws one example of each kind of folder
 * and row, and the others are copies of it. React draws rare parts itself: a search, an open folder, a folder with
 * news.
 */
export function writeFolders(
  sections: readonly FolderSectionProps[],
  frame: Frame,
  screen: FilesScreen,
  draw: DrawOn,
): string {
  const { owner, q } = screen
  if (!('project' in owner) || q !== '')
    return sections.map((section) => draw(<FolderSection {...section} />)).join('')
  const { project } = owner
  return sections
    .map((section) => {
      const { folder, news, opened, query } = section
      const isOrdinary = opened === null && news === 0 && folder.new_files.length === 0
      if (!isOrdinary) return draw(<FolderSection {...section} />)
      return folderStencil(
        folder,
        query.page,
        frame,
        screen,
        draw,
      )({
        project: String(project),
        page: String(query.page),
        id: String(folder.id),
        name: escapeHtml(folder.name),
        count: formatCount(folder.files_count),
        rows: folder.files
          .slice(0, SHOWN_FILES)
          .map((file, index) => writeRow(file, folder.name, index, frame, screen, draw))
          .join(''),
      })
    })
    .join('')
}

function writeRow(
  file: ListedFile,
  folder: string,
  index: number,
  frame: Frame,
  screen: FilesScreen,
  draw: DrawOn,
): string {
  const said = dimmedPart(file.name, folder, screen.number)
  return rowStencil(
    file,
    said !== '',
    frame,
    screen,
    draw,
  )({
    id: String(file.id),
    place: String(index + ROWS_BEFORE),
    said: escapeHtml(said),
    name: escapeHtml(file.name.slice(said.length)),
    open: escapeHtml(fileUrls.open(screen.owner, file.path)),
    download: escapeHtml(fileUrls.download(screen.owner, file.path)),
    at: file.created_at,
    date: shortDate(file.created_at, frame.timeZone),
    size: formatBytes(file.size),
  })
}

/** `aria-rowindex` counts the heading, and begins at 1. */
const ROWS_BEFORE = 2

// Values that cannot be mistaken: none is part of another.
const PROJECT = 7_770_001
const PAGE = 7_770_002
const MANY = 7_770_003
const PLACE = 7_770_004
const FOLDER: Folder = {
  id: 7_770_005,
  name: 'Eksempelmappen',
  visible_to_investors: false,
  files_count: 0,
  new_count: 0,
  files: [],
  new_files: [],
}
const FILE: ListedFile = {
  id: 7_770_006,
  name: 'Eksempelfilen',
  path: 'eksempelnøglen/stien',
  size: 7_770_007,
  created_at: '1977-07-07T12:07:07.000Z',
  period: null,
  is_period_given: false,
  mime: '',
  is_new: false,
  is_version: false,
  from_investor: false,
  held: null,
  waiting: null,
  is_asked: false,
}
/** The example's project number, and the parts of a name by the convention. */
const NUMBER = '7770008'
const SAID = `${FOLDER.name} (${NUMBER})`

const ROWS_END = '</tbody>'

function folderStencil(
  { files_count: count, visible_to_investors: isShared }: Folder,
  page: number,
  { user }: Frame,
  screen: FilesScreen,
  draw: DrawOn,
): Stencil<'project' | 'page' | 'id' | 'name' | 'count' | 'rows'> {
  const hasMany = count > SHOWN_FILES
  const isFirst = page === FIRST_PAGE
  const kind = [user!.role, screen.hasAuditor, isShared, isFirst, hasMany ? 'many' : count].join()
  return remember(folderStencils, kind, () => {
    const example: FolderSectionProps = {
      folder: { ...FOLDER, visible_to_investors: isShared, files_count: hasMany ? MANY : count },
      query: { q: '', sort: null, page: isFirst ? page : PAGE },
      news: 0,
      opened: null,
      by: {},
    }
    const html = draw(<FolderSection {...example} />, exampleScreen(screen))
    const stencil = cutStencil<string>(html, {
      ...(html.includes(String(PROJECT)) && { project: String(PROJECT) }),
      ...(html.includes(String(PAGE)) && { page: String(PAGE) }),
      id: String(FOLDER.id),
      name: FOLDER.name,
      ...(hasMany && { count: formatCount(MANY) }),
      ...(count > 0 && { rows: ROWS_END }),
    })
    return (values) => stencil({ ...values, rows: values.rows + ROWS_END })
  })
}

function rowStencil(
  file: ListedFile,
  isSaid: boolean,
  { user, timeZone }: Frame,
  screen: FilesScreen,
  draw: DrawOn,
): Stencil<'id' | 'place' | 'said' | 'name' | 'open' | 'download' | 'at' | 'date' | 'size'> {
  const { is_new, is_version, from_investor, held, waiting, is_asked, is_period_given } = file
  // A period is shown only if the name has another one or none.
  const period = is_period_given ? file.period : null
  const marks = { is_new, is_version, from_investor, held, waiting, is_asked, is_period_given, period }
  const kind = [user!.role, ...Object.values(marks), screen.crossesNewYear, isSaid, familyOf(file)].join()
  return remember(rowStencils, kind, () => {
    const name = isSaid ? SAID + FILE.name : FILE.name
    const example = { ...FILE, ...marks, name, mime: MIMES[familyOf(file)] }
    const { owner } = exampleScreen(screen)
    const html = draw(
      <FileRow
        file={example}
        folder={FOLDER}
        index={PLACE - ROWS_BEFORE}
        total={MANY}
        isBusy={false}
        isChanged={false}
        isScripted={false}
        onMove={() => undefined}
      />,
      exampleScreen(screen),
    )
    return cutStencil<string>(html, {
      ...(isSaid && { said: SAID }),
      id: String(FILE.id),
      place: String(PLACE),
      name: FILE.name,
      open: fileUrls.open(owner, FILE.path),
      download: fileUrls.download(owner, FILE.path),
      at: FILE.created_at,
      date: shortDate(FILE.created_at, timeZone),
      size: formatBytes(FILE.size),
    })
  })
}

/** A type of each family, for the example. */
const MIMES: Record<ReturnType<typeof familyOf>, string> = {
  image: 'image/png',
  sheet: 'text/csv',
  text: 'application/pdf',
  archive: 'application/zip',
  file: '',
}

const exampleScreen = (screen: FilesScreen): FilesScreen => ({
  ...screen,
  owner: { project: PROJECT },
  number: NUMBER,
})

const folderStencils: Map<string, Stencil<string>> = new Map()
const rowStencils: Map<string, Stencil<string>> = new Map()

function remember(
  stencils: Map<string, Stencil<string>>,
  kind: string,
  cut: () => Stencil<string>,
): Stencil<string> {
  const stencil = stencils.get(kind) ?? cut()
  stencils.set(kind, stencil)
  return stencil
}
