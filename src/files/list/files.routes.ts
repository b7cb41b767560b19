import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileOwner } from '../../access/reader.ts'
import type { Parts } from '../../server/parts.ts'
import { EVERYTHING } from '../../base/list-query.ts'
import { wholePage } from '../../base/pagination.ts'
import { getProjectWithMembers, hasAuditor } from '../../projects/members.db.ts'
import type { ProjectRelease } from '../../projects/project/project.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import { may, type Right } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { idIn } from '../../server/http/ids.ts'
import { pageQueryOf } from '../../server/http/list-query.ts'
import { userOf } from '../../server/http/permit.ts'
import { listIn, type ProgramCall } from '../../server/http/program-call.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { FileListingProps } from './file-listing.tsx'
import { listFiles, listFolderOptions, listUserFiles } from './files.db.ts'
import { listSections } from './sections.db.ts'
import {
  LIST_FILES,
  LIST_FOLDER_OPTIONS,
  LIST_FOLDERS,
  LIST_USER_FILES,
  ofOwner,
} from '../calls/file-calls.server.ts'
import { checkOwner } from '../file/owner.db.ts'
import { listProjectYears } from '../zip/year-sums.db.ts'
import { OPEN_FILES, type ListedFile, type StoredFile } from '../file/stored-file.ts'

type Address = { Params: { project: string; user: string; folder: string } }

/** How many years are offered as a package. */
const MOST_YEARS = 4

export type FindRelease = (project: number) => Promise<ProjectRelease | null>

/** Adds the page with a project's files, and the routes that the file list calls. */
export function addFiles(app: FastifyInstance, { db }: Parts, findRelease: FindRelease): void {
  const see = { config: { right: 'seeFiles' } } as const
  const projectOf = (request: FastifyRequest<Address>) =>
    getProject(db, userOf(request), idIn(request.params.project))

  app.get<Address>(urls.files(':project'), see, async (request, reply) => {
    const id = idIn(request.params.project)
    const {
      project,
      hasAuditor: isAudited,
      crossesNewYear,
      members,
      lentBy,
    } = await getProjectWithMembers(db, userOf(request), id)
    const [list, years] = await Promise.all([
      readFileList(db, request, { project: project.id }),
      listProjectYears(db, userOf(request), project.id, MOST_YEARS),
    ])
    const known =
      members?.map(({ id: member, name, role, numbers }) => ({ id: member, name, role, numbers })) ?? null
    const release = may(userOf(request).role, 'seeReleases') ? await findRelease(project.id) : null
    const facts = { project, members: known, release, hasAuditor: isAudited, crossesNewYear, lentBy }
    return reply.page('files', { ...facts, years, ...list }, project.name)
  })

  const [ofProject, ofUser] = [{ project: ':project' }, { user: ':user' }] as const
  const optionsOf = (right: Right, program: ProgramCall) => ({ config: { right, program } })

  const folders = optionsOf('seeFiles', ofOwner(ofProject, LIST_FOLDERS))
  app.get<Address>(urls.listFolders(':project'), folders, async (request, reply) => {
    const owner = { project: idIn(request.params.project) }
    const list = await listSections(db, userOf(request), owner, listIn(request, LIST_FOLDERS))
    // Everybody who sees a folder sees its project too.
    if (list.folders.length === 0) await projectOf(request)
    return reply.send(list)
  })

  const files = optionsOf('seeFiles', ofOwner(ofProject, LIST_FILES))
  app.get<Address>(fileUrls.list(ofProject, ':folder'), files, (request) =>
    listFiles(
      db,
      userOf(request),
      { project: idIn(request.params.project) },
      idIn(request.params.folder),
      listIn(request, LIST_FILES),
    ),
  )

  app.get<Address>(
    urls.folderOptions(':project'),
    optionsOf('changeFiles', LIST_FOLDER_OPTIONS),
    async (request, reply) => {
      const query = listIn(request, LIST_FOLDER_OPTIONS)
      const { id } = await projectOf(request)
      const options = await listFolderOptions(db, userOf(request), id, query.q)
      return reply.send({ ...wholePage(options, query.page), has_auditor: await hasAuditor(db, id) })
    },
  )

  const theirFolders = optionsOf('seeUserFiles', ofOwner(ofUser, LIST_FOLDERS))
  app.get<Address>(urls.listUserFolders(':user'), theirFolders, (request) => {
    const query = listIn(request, LIST_FOLDERS)
    const owner = { user: idIn(request.params.user) }
    return checkOwner(db, userOf(request), owner).then(() => listSections(db, userOf(request), owner, query))
  })

  const theirFiles = optionsOf('seeUserFiles', ofOwner(ofUser, LIST_FILES))
  app.get<Address>(fileUrls.list(ofUser, ':folder'), theirFiles, (request) =>
    listFiles(
      db,
      userOf(request),
      { user: idIn(request.params.user) },
      idIn(request.params.folder),
      listIn(request, LIST_FILES),
    ),
  )

  const allTheirs = optionsOf('seeUserFiles', LIST_USER_FILES)
  app.get<Address>(urls.listUserFiles(':user'), allTheirs, (request) =>
    listUserFiles(db, userOf(request), idIn(request.params.user), listIn(request, LIST_USER_FILES)),
  )
}

/** Reads the first page of the file list, as the address asks for it. */
export async function readFileList(
  db: Database,
  request: FastifyRequest,
  owner: FileOwner,
): Promise<FileListingProps> {
  const reader = userOf(request)
  const { open, files: number } = request.query as { open?: unknown; files?: unknown }
  const query = pageQueryOf(request, [])
  const { data, ...rest } = await listSections(db, reader, owner, query)
  const page = {
    ...rest,
    data: data.map((folder) => ({
      ...folder,
      files: folder.files.map(toListedFile),
      new_files: folder.new_files.map(toListedFile),
    })),
  }
  const opened = data.find(({ id }) => String(id) === open)
  if (!opened) return { query, page, opened: null }
  const asked = { ...query, page: pageNumberOf(number) }
  const files = await listFiles(db, reader, owner, opened.id, asked, OPEN_FILES)
  return {
    query,
    page,
    opened: { folder: opened.id, files: { ...files, data: files.data.map(toListedFile) } },
  }
}

/** Leaves out fields that the page does not show: a hash alone is a third of a file's data, and cannot be compressed. */
const toListedFile = ({ year: _year, sha256: _hash, ...listed }: StoredFile): ListedFile => listed

/** Reads the page number of one folder's files from the address. A wrong number means the first page. */
function pageNumberOf(text: unknown): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : EVERYTHING.page
}
