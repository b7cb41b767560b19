import { ROLE_NAMES, type Role } from '../../rights.ts'
import { urls } from '../../urls.ts'
import { hasPages } from '../answer/at-page.ts'
import { fileHref, folderHref, personHref, placeText, projectText } from '../answer/places.ts'
import type { FileHit, Piece } from '../answer/results.ts'
import type { BoxAnswer } from '../answer/search-answer.ts'
import { findActs, projectAct, type ProjectAct } from './acts.ts'

export type EntryIcon = 'upload' | 'act' | 'page' | 'saved' | 'project' | 'folder' | 'person' | 'file'

/** A suggestion: a link with an icon. */
export type Entry = {
  /** Tells it from all others in the list. */
  key: string
  icon: EntryIcon
  title: Piece[]
  /** Shown after the title. */
  hint: string
  /** The words in context, and the page where they stand, if the file has pages. */
  context: { page: number | null; pieces: Piece[] } | null
  href: string
  isNewTab: boolean
}

export type EntryGroup = { name: string; entries: Entry[] }

const MOST_SAVED_SHOWN = 6

const plain = (text: string): Piece[] => [{ text, isHit: false }]

/** An entry without a hint or a context, which opens here. */
const link = (icon: EntryIcon, key: string | number, text: string, href: string, hint = ''): Entry => ({
  key: `${icon}-${key}`,
  icon,
  title: plain(text),
  hint,
  context: null,
  href,
  isNewTab: false,
})

/** A question and its answer. */
export type Asked = { text: string; act: ProjectAct | null; answer: BoxAnswer }

/** Returns the suggestions in groups, without those that are empty. */
export function groupsOf(user: { id: number; role: Role }, { text, act, answer }: Asked): EntryGroup[] {
  const { projects, folders, people, files } = answer
  // Uploading to the first of them is offered unasked.
  const inProjects = projects.slice(0, act ? projects.length : 1).flatMap((project) => {
    const found = projectAct(act ?? 'upload', user.role, project.id)
    return found ? [{ project, ...found }] : []
  })
  const groups: EntryGroup[] = [
    {
      name: 'Handlinger',
      entries: [
        ...findActs(user, text).map((found) =>
          link(
            found.isPage ? 'page' : 'act',
            `${found.text}-${found.href}`,
            found.text,
            found.href,
            found.hint,
          ),
        ),
        ...inProjects.map(({ project, says, href }) =>
          link(
            act && act !== 'upload' ? 'act' : 'upload',
            project.id,
            `${says} ${projectText(project)}`,
            href,
          ),
        ),
      ],
    },
    {
      name: 'Gemte søgninger',
      entries: savedFor(text, answer.saved).map(({ id, name, query }) =>
        link('saved', id, name, urls.search + query),
      ),
    },
    {
      name: 'Projekter',
      entries: projects.map((project) =>
        link(
          'project',
          project.id,
          projectText(project),
          urls.files(project.id),
          project.cvr === null ? '' : `CVR ${project.cvr}`,
        ),
      ),
    },
    {
      name: 'Mapper',
      entries: folders.map(({ id, name, project }) =>
        link('folder', id, name, folderHref(project.id, id), projectText(project)),
      ),
    },
    {
      name: 'Personer',
      entries: people.map((person) =>
        link(
          'person',
          person.id,
          person.name,
          personHref(user, person),
          [ROLE_NAMES[person.role], ...person.numbers].join(' · '),
        ),
      ),
    },
    { name: 'Filer', entries: files.map(fileEntry) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

const fileEntry = (file: FileHit): Entry => ({
  key: `file-${file.id}`,
  icon: 'file',
  title: file.namePieces,
  hint: placeText(file),
  context: file.pages[0] ? { ...file.pages[0], ...(!hasPages(file) && { page: null }) } : null,
  href: fileHref(file),
  isNewTab: true,
})

/** All of them before anything is typed, later those with the typed words in their name. */
function savedFor(text: string, saved: BoxAnswer['saved']): BoxAnswer['saved'] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return saved
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MOST_SAVED_SHOWN)
}
