import { countUnshown } from '../held/hold-saved.db.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'
import { cleanLine, rawLength } from '../../base/text.ts'
import { listReadersOfOwn } from '../../access/outside-readers.db.ts'
import { visitOf } from '../../access/visit.routes.ts'
import type { FindNotes } from '../../files/file/paper-note.ts'
import { hasChosen } from '../../office/office.db.ts'
import { listFolderOptions, listUserFiles } from '../../files/list/files.db.ts'
import { hasAuditor } from '../../projects/members.db.ts'
import { countOwnNews } from '../../projects/news/news.db.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import { may } from '../../rights.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { idIn } from '../../server/http/ids.ts'
import { pageQueryOf } from '../../server/http/list-query.ts'
import { findReleaseOf } from '../../releases/release/release-list.db.ts'
import { listHeld, submissionBy } from '../../releases/held/list-held.db.ts'
import { readPublishing, type Publishing, type PublishingFields } from '../../releases/release/release.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { validateMany } from '../../server/http/validate.ts'
import { folderAnchor, urls } from '../../urls.ts'
import {
  checkTarget,
  getInvestor,
  placeAtOwn,
  placeAtPerson,
  placeByFolder,
  placeByNumber,
  placeByUser,
  placeManually,
} from './place.db.ts'
import { summariseUnsaved } from '../unsaved/unsaved-pile.routes.ts'
import { readResult } from '../result/result.db.ts'
import { resultTitle } from '../result/result.ts'
import type { UploadForm } from '../pile/pile.ts'
import type { Entry, Placing } from '../transport/entry.ts'
import { storeSubmission } from './submissions.db.ts'
import { entryOf, formOf, SUBMISSION } from './upload-form.server.ts'

type Address = { Params: { project: string; folder: string; user: string; submission: string } }
type UploadRequest = FastifyRequest<Address>

/** Adds the upload forms, each at its own address, and the result page. */
export function addUploads(app: FastifyInstance, parts: Parts, findNotes: FindNotes): void {
  const { db, config, storage } = parts
  const most = config.maxFilesPerSubmit
  const change = { config: { right: 'changeFiles' } } as const
  const own = { config: { right: 'haveOwnFiles' } } as const
  // A file has six fields, which take 150 bytes each in a multipart form, and a name of up to 255 letters.
  const mostFields = 7 * most + 100
  const bodyLimit = 1950 * most + FORM_BYTES
  const save = { config: { ...change.config, mostFields }, bodyLimit } as const
  const saveOwn = { config: { ...own.config, mostFields }, bodyLimit } as const
  const sending = {
    limits: { bytes: config.maxFileBytes, files: most },
    isDirect: storage.posts !== undefined,
  }
  const store = storeIn(parts, most, config.timeZone)

  const projectOf = (request: UploadRequest) => getProject(db, userOf(request), idIn(request.params.project))

  async function targetOf(request: UploadRequest) {
    const project = await projectOf(request)
    const folders = await listFolderOptions(db, userOf(request), project.id)
    const folder = folders.find(({ id }) => id === idIn(request.params.folder))
    if (!folder) throw notFound('Mappen findes ikke.')
    return { project, folder }
  }

  async function show(
    request: UploadRequest,
    reply: FastifyReply,
    form: Exclude<UploadForm, { kind: 'simple' }>,
    title: string,
    more = {},
  ) {
    return reply.page(
      'upload',
      {
        form,
        ...sending,
        kept: await summariseUnsaved(request, parts),
        placesSure: await hasChosen(db, 'places_sure'),
        ...more,
      },
      title,
    )
  }

  // One folder of one project.
  app.get<Address>(urls.uploadTo(':project', ':folder'), change, async (request, reply) => {
    const { project: found, folder } = await targetOf(request)
    const project = { ...found, has_auditor: await hasAuditor(db, found.id) }
    return show(request, reply, { kind: 'manual', project, folder }, `Upload til ${folder.name}`, {
      wantedName: wantedNameIn(request.query),
    })
  })
  app.post<Address>(urls.uploadTo(':project', ':folder'), save, async (request, reply) => {
    const [project, folderId] = [idIn(request.params.project), idIn(request.params.folder)]
    await checkTarget(db, userOf(request), project, folderId)
    return store(request, reply, placeManually(folderId), {
      folderId,
      next: () => `${urls.files(project)}?open=${folderId}#${folderAnchor(folderId)}`,
    })
  })

  // Sorted by folder in one project; sorted by folder and by person in all.
  app.get<Address>(urls.uploadToProject(':project'), change, async (request, reply) => {
    const project = await projectOf(request)
    return show(request, reply, { kind: 'folders', project }, `Upload til ${project.name}`)
  })
  app.post<Address>(urls.uploadToProject(':project'), save, async (request, reply) => {
    const { number } = await projectOf(request)
    return store(request, reply, placeByFolder(userOf(request), number))
  })
  app.get<Address>(urls.upload, change, (request, reply) =>
    show(request, reply, { kind: 'folders', project: null }, 'Upload'),
  )
  app.post<Address>(urls.upload, save, (request, reply) =>
    store(request, reply, placeByNumber(userOf(request))),
  )

  // Sorted by person.
  app.get<Address>(urls.uploadToUsers, change, (request, reply) =>
    show(request, reply, { kind: 'users' }, 'Upload'),
  )
  app.post<Address>(urls.uploadToUsers, save, (request, reply) =>
    store(request, reply, placeByUser(userOf(request))),
  )

  // One given person.
  const personOf = (request: UploadRequest) => getInvestor(db, userOf(request), idIn(request.params.user))
  app.get<Address>(urls.uploadToUser(':user'), change, async (request, reply) => {
    const user = await personOf(request)
    return show(request, reply, { kind: 'person', user }, `Upload til ${user.name}`)
  })
  app.post<Address>(urls.uploadToUser(':user'), save, async (request, reply) => {
    const { id } = await personOf(request)
    return store(request, reply, placeAtPerson(userOf(request), id), { next: () => urls.user(id) })
  })

  // An investor's own files.
  app.get<Address>(urls.myFiles, own, async (request, reply) =>
    reply.page('my-files', { ...(await readOwnFiles(db, request)), ...sending }, 'Mine filer'),
  )
  app.post<Address>(urls.myFiles, saveOwn, (request, reply) =>
    store(request, reply, placeAtOwn(userOf(request).id), {
      names: 'simple',
      fromInvestor: true,
      next: () => urls.myFiles, // the new files are first there
    }),
  )

  addResult(app, db, findNotes)
}

/** Reads what an investor's own page shows. */
async function readOwnFiles(db: Database, request: FastifyRequest) {
  const user = userOf(request)
  const query = pageQueryOf(request, [])
  const page = await listUserFiles(db, user, user.id, query)
  const { until } = await countOwnNews(db, user)
  const readers = (await listReadersOfOwn(db, [user.id])).get(user.id)!
  const unshown = await countUnshown(db, user.id)
  return { userId: user.id, readers, query, page, unshown, until }
}

type Options = {
  names?: 'strict' | 'simple'
  next?: (key: string) => string | Promise<string>
  folderId?: number
  fromInvestor?: boolean
  /** The file that all of it, which is one file, replaces. */
  replaces?: number
}

/** Makes what saves a form whose files go where `place` says, and leads on to `next`. */
export function storeIn(parts: Parts, most: number, timeZone: string) {
  const Form = formOf(most)
  const entries = { strict: entryOf('strict'), simple: entryOf('simple') }
  return async function store(
    request: FastifyRequest,
    reply: FastifyReply,
    place: Placing,
    { names = 'strict', next = urls.uploadResult, fromInvestor = false, ...fixed }: Options = {},
  ): Promise<FastifyReply> {
    return submit(request, reply, async () => {
      const sent = await validateMany(Form, 'files', entries[names], request.body)
      const { submission: key = randomUUID(), shared, keep, acknowledged = [], pile, rest = [] } = sent
      const files = sent.files.map(([id, entry]): Entry => {
        const { name, data: hashName, folder_id: folderId, folder, user_id: userId, replaces } = entry
        // An investor may not replace what the office has put there.
        return { id, name, hashName, folderId, folder, userId, ...(!fromInvestor && { replaces }), ...fixed }
      })
      const [form] = request.url.split('?') as [string]
      const publishing = fromInvestor ? null : publishingOf(sent, timeZone)
      const { skipped, isWaiting, isDoubted } = await storeSubmission(parts, visitOf(request), {
        form,
        key,
        entries: files,
        place,
        knownShared: shared ?? null,
        keep: keep ?? null,
        acknowledged,
        pile: pile === undefined ? null : { key: pile, rest },
        fromInvestor,
        replacing: fixed.replaces === undefined ? 'same-name' : 'this-file',
        ...(publishing && { publishing }),
      })
      // Its result says what was not stored, what a colleague has to approve, and what needs attention.
      return skipped > 0 || isWaiting || isDoubted ? urls.uploadResult(key) : await next(key)
    })
  }
}

/** The name of a paper that somebody misses, which the overview gives. */
function wantedNameIn(query: unknown): string | null {
  const { name } = query as { name?: unknown }
  return typeof name === 'string' && name.length <= rawLength(MOST_NAME)
    ? cleanLine(name).slice(0, MOST_NAME) || null
    : null
}

const MOST_NAME = 255

/** Reads how a form publishes its files; throws its faults. */
export function publishingOf(sent: PublishingFields, timeZone: string): Publishing {
  const read = readPublishing(sent, new Date(), timeZone)
  if ('faults' in read) throw invalid(read.faults)
  return read.publishing
}

/** Shows the result of a saved form. */
function addResult(app: FastifyInstance, db: Parts['db'], findNotes: FindNotes): void {
  const send = { config: { right: 'sendFiles' } } as const
  app.get<Address>(urls.uploadResult(':submission'), send, async (request, reply) => {
    const { submission } = request.params
    if (!SUBMISSION.test(submission)) throw notFound('Den upload findes ikke.')
    const user = userOf(request)
    const result = await readResult(db, user, submission)
    const files = result.groups.flatMap((group) => group.files.map(({ id }) => id))
    return reply.page(
      'upload-result',
      {
        submission,
        release: may(user.role, 'seeReleases') ? await findReleaseOf(db, user, submission) : null,
        held: may(user.role, 'changeFiles')
          ? await listHeld(db, user, { submission: submissionBy(user.id, submission) })
          : null,
        notes: may(user.role, 'seeObligations') ? await findNotes(user, 'files', files) : {},
        ...result,
      },
      resultTitle(result, !may(user.role, 'changeFiles')),
    )
  })
}
