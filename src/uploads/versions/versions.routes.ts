import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileOwner } from '../../access/reader.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { removeVersion } from '../../files/versions/versions.db.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import type { Parts } from '../../server/parts.ts'
import { removeBlob } from '../../server/storage/blobs.db.ts'
import { fileUrls, folderAnchor, urls, type Owner } from '../../urls.ts'
import { placeManually } from '../form/place.db.ts'
import { storeIn } from '../form/upload.routes.ts'
import { getReplaceable } from './replaced-file.db.ts'
import { restoreVersion } from './restore-version.db.ts'

type Address = { Params: { project?: string; user?: string; file: string; version: string } }
type Call = FastifyRequest<Address>

const ownerOf = ({ params: { project, user } }: Call): FileOwner =>
  user === undefined ? { project: idIn(project) } : { user: idIn(user) }

/** Adds the page that replaces a file with a new version, and the acts on older versions. */
export function addVersions(app: FastifyInstance, parts: Parts): void {
  addVersionsOf(app, parts, { project: ':project' })
  addVersionsOf(app, parts, { user: ':user' })
}

function addVersionsOf(app: FastifyInstance, parts: Parts, at: Owner): void {
  const { db, jobs, config, storage } = parts
  const change = { config: { right: 'changeFiles' } } as const
  const store = storeIn(parts, 1, config.timeZone)

  app.get<Address>(fileUrls.replace(at, ':file'), change, async (request, reply) => {
    const owner = ownerOf(request)
    const { folderId, target, ...file } = await getReplaceable(
      db,
      userOf(request),
      owner,
      idIn(request.params.file),
    )
    return reply.page(
      'upload',
      {
        form: { kind: 'replace', file, target, owner, back: placeOf(owner, folderId) },
        limits: { bytes: config.maxFileBytes, files: 1 },
        isDirect: storage.posts !== undefined,
      },
      `Erstat ${file.name}`,
    )
  })
  app.post<Address>(fileUrls.replace(at, ':file'), change, async (request, reply) => {
    const owner = ownerOf(request)
    const { id, folderId } = await getReplaceable(db, userOf(request), owner, idIn(request.params.file))
    return store(request, reply, placeManually(folderId), {
      folderId,
      replaces: id,
      next: () => placeOf(owner, folderId),
    })
  })

  app.post<Address>(fileUrls.restoreVersion(at, ':version'), change, (request, reply) =>
    submit(request, reply, async () => {
      const version = idIn(request.params.version)
      return urls.fileHistory(await restoreVersion(db, jobs, visitOf(request), ownerOf(request), version))
    }),
  )
  app.post<Address>(
    fileUrls.removeVersion(at, ':version'),
    { config: { right: 'removeFiles' } },
    (request, reply) =>
      submit(request, reply, async () => {
        requireFreshProof(request)
        const version = idIn(request.params.version)
        const { blob, file } = await removeVersion(db, visitOf(request), ownerOf(request), version)
        // The version is removed. If its bytes cannot be removed now, the next housekeeping does it.
        await removeBlob(db, storage, blob).catch((err: unknown) =>
          request.log.error({ err, blob }, 'bytes were not removed'),
        )
        return urls.fileHistory(file)
      }),
  )
}

/** The file list, with the folder open that has the file; or the person's page. */
function placeOf(owner: FileOwner, folder: number): string {
  return 'user' in owner
    ? urls.user(owner.user)
    : `${urls.files(owner.project)}?open=${folder}#${folderAnchor(folder)}`
}
