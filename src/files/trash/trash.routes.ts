import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { findUserName } from '../../accounts/users/users.db.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { hasAuditor } from '../../projects/members.db.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import { removeBlob } from '../../server/storage/blobs.db.ts'
import { notFound } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { pageQueryOf } from '../../server/http/list-query.ts'
import { userOf } from '../../server/http/permit.ts'
import { listIn } from '../../server/http/program-call.ts'
import { fileUrls, urls, type Owner } from '../../urls.ts'
import { LIST_TRASH, ofOwner } from '../calls/file-calls.server.ts'
import { asDelete, ownerOf, answerChange } from '../change/change.routes.ts'
import { listTrash, removeFiles } from './trash.db.ts'

type Address = { Params: { project?: string; user?: string; file: string; folder: string } }

/** Adds the pages and routes of the trash. */
export function addTrash(app: FastifyInstance, parts: Parts): void {
  const { db } = parts
  app.get<Address>(urls.trash(':project'), { config: { right: 'changeFiles' } }, async (request, reply) => {
    const reader = userOf(request)
    const project = await getProject(db, reader, idIn(request.params.project))
    const query = pageQueryOf(request, [])
    const page = await listTrash(db, reader, { project: project.id }, query)
    return reply.page(
      'trash',
      { of: { project, hasAuditor: await hasAuditor(db, project.id) }, query, page },
      `Papirkurv for ${project.name}`,
    )
  })
  app.get<Address>(urls.userTrash(':user'), { config: { right: 'changeFiles' } }, async (request, reply) => {
    const id = idIn(request.params.user)
    const name = await findUserName(db, id)
    if (name === null) throw notFound('Personen findes ikke.')
    const query = pageQueryOf(request, [])
    const page = await listTrash(db, userOf(request), { user: id }, query)
    return reply.page('trash', { of: { user: { id, name } }, query, page }, `Papirkurv for ${name}`)
  })
  addTrashOf(app, parts, { project: ':project' })
  addTrashOf(app, parts, { user: ':user' })
}

function addTrashOf(app: FastifyInstance, { db, storage }: Parts, owner: Owner): void {
  const remove = { config: { right: 'removeFiles' } } as const

  const list = { config: { right: 'changeFiles', program: ofOwner(owner, LIST_TRASH) } } as const
  app.get<Address>(fileUrls.trash(owner), list, (request) =>
    listTrash(db, userOf(request), ownerOf(request), listIn(request, LIST_TRASH)),
  )

  const removeOne = (request: FastifyRequest<Address>) =>
    answerChange(async () => {
      requireFreshProof(request)
      const file = idIn(request.params.file)
      const [blob] = await removeFiles(db, visitOf(request), ownerOf(request), [file])
      // The file is removed. If its bytes cannot be removed now, the next housekeeping does it.
      await removeBlob(db, storage, blob!).catch((err: unknown) =>
        request.log.error({ err, blob }, 'bytes were not removed'),
      )
    })
  app.delete<Address>(fileUrls.deleted(owner, ':file'), remove, removeOne)
  app.post<Address>(fileUrls.deleted(owner, ':file'), { ...remove, preHandler: asDelete }, removeOne)
}
