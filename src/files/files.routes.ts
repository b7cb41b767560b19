import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parts } from '../app.ts'
import { EVERYTHING } from '../base/list-query.ts'
import { getProject } from '../projects/projects.db.ts'
import { idIn } from '../server/ids.ts'
import { listQueryOf, pageQueryOf } from '../server/list-query.ts'
import { userOf } from '../server/permit.ts'
import { fileUrls, urls } from '../urls.ts'
import { listFiles, listFolderOptions, listSections, listUserFiles } from './files.db.ts'
import { OPEN_FILES } from './stored-file.ts'

type Address = {
  Params: { project: string; user: string; folder: string }
  Querystring: { open?: unknown; files?: unknown }
}

/** The file list, and what it is made of. */
export function addFiles(app: FastifyInstance, { db }: Parts): void {
  const see = { config: { right: 'seeFiles' } } as const
  const projectOf = (request: FastifyRequest<Address>) =>
    getProject(db, userOf(request), idIn(request.params.project))

  app.get<Address>(urls.files(':project'), see, async (request, reply) => {
    const reader = userOf(request)
    const project = await projectOf(request)
    const query = pageQueryOf(request, [])
    const page = await listSections(db, reader, project.id, query)
    const opened = page.data.find(({ id }) => String(id) === request.query.open)
    const files =
      opened &&
      (await listFiles(
        db,
        reader,
        { project: project.id },
        opened.id,
        { ...query, page: pageNumberOf(request.query.files) },
        OPEN_FILES,
      ))
    return reply.page(
      'files',
      { project, query, page, opened: opened && files ? { folder: opened.id, files } : null },
      project.name,
    )
  })

  app.get<Address>(urls.listFolders(':project'), see, (request) => {
    const query = listQueryOf(request, [])
    return projectOf(request).then(({ id }) => listSections(db, userOf(request), id, query))
  })

  app.get<Address>(fileUrls.list({ project: ':project' }, ':folder'), see, (request) =>
    listFiles(
      db,
      userOf(request),
      { project: idIn(request.params.project) },
      idIn(request.params.folder),
      listQueryOf(request, []),
    ),
  )

  app.get<Address>(urls.folderOptions(':project'), { config: { right: 'changeFiles' } }, (request) =>
    projectOf(request)
      .then(({ id }) => listFolderOptions(db, userOf(request), id))
      .then((data) => ({ data })),
  )

  app.get<Address>(urls.listUserFiles(':user'), { config: { right: 'seeUserFiles' } }, (request) =>
    listUserFiles(db, userOf(request), idIn(request.params.user), listQueryOf(request, [])),
  )
}

/** Of the files of one folder, in an address that a person may have changed. */
function pageNumberOf(text: unknown): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : EVERYTHING.page
}
