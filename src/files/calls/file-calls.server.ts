import { z } from 'zod'
import { moment, pageOf, PageMeta } from '../../server/http/answers.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import type { Owner } from '../../urls.ts'
import {
  DeletedFileAnswer,
  FileAnswer,
  FolderAnswer,
  FolderLinkAnswer,
  SectionAnswer,
  ChangeAnswer,
} from './file-answers.server.ts'
import { Many, MoveMany, MoveManyToPerson, Order, Sort } from './change-forms.server.ts'
import { TRASH_DAYS, UNDO_HOURS } from '../file/stored-file.ts'

/** Makes a call for each kind of owner: 'listOwnerTrash' becomes 'listProjectTrash' or 'listUserTrash'. */
export function ofOwner<Call extends ProgramCall>(owner: Owner, call: Call): Call {
  const [name, words] = 'project' in owner ? ['Project', 'et projekt'] : ['User', 'en bruger']
  return { ...call, id: call.id.replace('Owner', name), summary: call.summary.replace('en ejer', words) }
}

/** These lists can be searched, but not sorted by a column. */
const LIST = {}

const read = { scope: 'read', chapter: 'files', list: LIST } as const

export const LIST_FOLDERS = {
  ...read,
  id: 'listOwnerFolders',
  summary: 'List mapperne hos en ejer med deres første filer',
  says: 'Mapperne i deres rækkefølge, 20 ad gangen. folders har alle mapper på alle sider.',
  answer: z.strictObject({
    data: z.array(SectionAnswer),
    meta: PageMeta,
    folders: z.array(FolderLinkAnswer),
    until: moment.nullable().meta({ description: 'Hvornår de nye filer blev talt.', examples: [null] }),
  }),
} as const satisfies ProgramCall

export const LIST_FOLDER_OPTIONS = {
  ...read,
  id: 'listFolderNames',
  summary: 'List alle mapper i et projekt, uden filer',
  answer: z.strictObject({
    data: z.array(FolderAnswer),
    meta: PageMeta,
    has_auditor: z.boolean().meta({ description: 'Om en revisor ser projektet.' }),
  }),
} as const satisfies ProgramCall

export const LIST_FILES = {
  ...read,
  id: 'listFilesInOwnerFolder',
  summary: 'List filerne i en mappe hos en ejer',
  answer: pageOf(FileAnswer),
} as const satisfies ProgramCall

export const LIST_USER_FILES = {
  ...read,
  id: 'listUserFiles',
  summary: 'List en brugers filer',
  answer: pageOf(FileAnswer),
} as const satisfies ProgramCall

export const LIST_TRASH = {
  ...read,
  id: 'listOwnerTrash',
  summary: 'List papirkurven hos en ejer',
  says: `Slettede filer kan gendannes i ${TRASH_DAYS} dage.`,
  answer: pageOf(DeletedFileAnswer),
} as const satisfies ProgramCall

export const DOWNLOAD_FILE = {
  scope: 'read',
  id: 'downloadFile',
  chapter: 'files',
  summary: 'Hent en fils indhold',
  says: 'Tager Range og If-None-Match. Kontoret kan have valgt, at et fillager sender indholdet; så er svaret 302 med adressen i Location. At et program henter en fil, gør den ikke læst for personen, men det står i loggen.',
  answer: 'bytes',
} as const satisfies ProgramCall

const change = { scope: 'manage', chapter: 'changes', answer: ChangeAnswer } as const

export const MOVE_FILES = {
  ...change,
  id: 'moveProjectFiles',
  summary: 'Flyt filer fra et projekt',
  says: 'Til en mappe i samme projekt eller et andet, eller til en investors egne filer.',
  body: MoveMany,
  example: { body: { files: ['{file}'], folder_id: '{otherFolder}' } },
} as const satisfies ProgramCall

export const MOVE_USER_FILES = {
  ...change,
  id: 'moveUserFiles',
  summary: 'Flyt filer fra en bruger',
  says: 'Til en anden investors egne filer, eller til en mappe i et projekt.',
  body: MoveManyToPerson,
  example: { body: { files: ['{file}'], user_id: '{otherUser}' } },
} as const satisfies ProgramCall

export const DELETE_FILE = {
  ...change,
  id: 'deleteOwnerFile',
  summary: 'Læg en fil hos en ejer i papirkurven',
} as const satisfies ProgramCall

export const RESTORE_FILE = {
  ...change,
  id: 'restoreOwnerFile',
  summary: 'Gendan en fil hos en ejer fra papirkurven',
} as const satisfies ProgramCall

export const DELETE_FILES = {
  ...change,
  id: 'deleteOwnerFiles',
  summary: 'Læg filer hos en ejer i papirkurven',
  says: `De kan gendannes i ${TRASH_DAYS} dage.`,
  body: Many,
  example: { body: { files: ['{file}'] } },
} as const satisfies ProgramCall

export const RESTORE_FILES = {
  ...change,
  id: 'restoreOwnerFiles',
  summary: 'Gendan filer hos en ejer fra papirkurven',
  body: Many,
  example: { body: { files: ['{file}'] } },
} as const satisfies ProgramCall

export const ORDER_FILES = {
  ...change,
  id: 'orderOwnerFiles',
  summary: 'Giv filerne i en mappe hos en ejer en ny rækkefølge',
  says: 'newOrder har alle mappens filer.',
  body: Order,
  example: { body: { newOrder: ['{file}'] } },
} as const satisfies ProgramCall

export const SORT_FILES = {
  ...change,
  id: 'sortOwnerFiles',
  summary: 'Sorter filerne i en mappe hos en ejer',
  body: Sort,
} as const satisfies ProgramCall

export const UNDO = {
  ...change,
  id: 'undoChange',
  summary: 'Fortryd en ændring',
  says: `Inden for ${UNDO_HOURS} timer, og kun hvis filerne ikke er ændret siden.`,
} as const satisfies ProgramCall
