import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Reader } from '../../access/reader.ts'
import { expiryOf } from '../../accounts/session/session-expiry.ts'
import { ticketOf } from '../../accounts/session/session-cookie.routes.ts'
import { actorOf } from '../../log/actor.routes.ts'
import type { Right } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { Refusal, tooMany } from '../../server/http/errors.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { headersOf } from '../content/content.ts'
import { noteDamage } from '../content/damage.db.ts'
import { findPart } from '../content/part.routes.ts'
import { ReadMarks } from '../content/read-marks.db.ts'
import { addReads } from '../content/reads.db.ts'
import { openArchive } from './archive-stream.server.ts'
import { RunningArchives } from './running-archives.ts'
import type { Archive } from './zip-archive.db.ts'
import { areStillSeen, type ZipFile } from './zip-files.db.ts'
import { findSelection, keepSelection } from './zip-selections.db.ts'

/** The archive that an address stands for. */
type AskedArchive = {
  right: Right
  /** Whether its files were picked one by one, so that they stay the same. */
  isPicked: boolean
  /** Plans it. `begunWith` are the files of an interrupted download of the same address. */
  make: (begunWith?: number[]) => Promise<Archive>
}

export type SendArchive = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: AskedArchive,
) => Promise<FastifyReply>

/** A download larger than this continues with the files with which it began, even if others have been added since. */
const KEPT_FROM = 16 * 1024 * 1024

/** Makes the function that sends ZIP archives, which can be resumed. One such function counts all running archives. */
export function archiveSender(app: FastifyInstance, { db, storage, config, https }: Parts): SendArchive {
  const complain = (about: Record<string, unknown>, message: string) => app.log.error(about, message)
  const marks = new ReadMarks(db, { complain })
  const running = new RunningArchives()
  const expiry = expiryOf(config)

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { right, isPicked, make }: AskedArchive,
  ): Promise<FastifyReply> {
    const reader = userOf(request)
    const asked = await make()
    const archive = (await findBegun(db, reader, request.headers['if-range'], asked, make)) ?? asked
    const about = {
      name: archive.name,
      type: 'application/zip',
      size: archive.plan.length,
      sha256: archive.tag,
    }
    const headers = headersOf(about, 'attachment')
    const sent = findPart(request, reply, about, headers)
    if (!sent) return reply

    // nginx passes it on as it comes, instead of filling its own buffers first.
    void reply.headers({ ...headers, ...sent.told, 'x-accel-buffering': 'no' })
    if (request.method === 'HEAD') return reply.send()

    if (sent.status === 200 && !isPicked && !reader.viewedBy && about.size > KEPT_FROM)
      await keepSelection(db, reader.id, archive.tag, idsOf(archive))
    const leave = running.enter(reader.id, archive.plan.files.length)
    if (!leave) throw refuseMore(reply)
    const stream = openArchive(archive.plan, sent.part, {
      storage,
      check: () => check(request, right, archive),
      record: (files) => record(request, files),
      onFault: ({ blob }, error) => noteDamage(db, blob.id, error, complain),
    })
    stream.once('close', leave)
    stream.once('error', (err) => request.log.warn({ err }, 'a ZIP archive was broken off'))
    return reply.send(stream)
  }

  async function check(request: FastifyRequest, right: Right, archive: Archive): Promise<void> {
    const [ticket, reader] = [ticketOf(request, https), userOf(request)]
    const { files } = archive.plan
    if (ticket && (await areStillSeen(db, { ticket, reader, expiry, right }, files))) return
    throw new NoLongerSeen('The reader may no longer have every file of the archive.')
  }

  async function record(request: FastifyRequest, files: ZipFile[]): Promise<void> {
    const actor = actorOf(request)
    const at = performance.now()
    await addReads(
      db,
      files.map(({ id, version, owner, folder, lenderId }) => ({
        act: 'file-downloaded',
        actor,
        owner,
        folderId: folder.id,
        fileId: id,
        version: version === 1 ? null : String(version),
        lenderId,
        at,
      })),
    )
    const { id: reader, viewedBy } = userOf(request)
    if (!viewedBy) await marks.markMany(reader, files)
  }

  return send
}

/** Returns the archive of an interrupted download, if its files have not changed. */
async function findBegun(
  db: Database,
  reader: Reader,
  ifRange: string | string[] | undefined,
  asked: Archive,
  make: AskedArchive['make'],
): Promise<Archive | null> {
  const [, tag = ''] = /^"([^"]+)"$/.exec(String(ifRange ?? '').trim()) ?? []
  if (!UUID.test(tag) || tag === asked.tag) return null
  const files = await findSelection(db, reader.id, tag)
  if (!files) return null
  const begun = await make(files).catch((error: unknown) => {
    if (error instanceof Refusal) return null // a file is gone: a new archive begins
    throw error
  })
  return begun?.tag === tag ? begun : null
}

class NoLongerSeen extends Error {}

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const idsOf = ({ plan }: Archive) => plan.files.map(({ id }) => id)

/** Refuses an archive while too many are sent. Removes the archive's headers from the answer. */
function refuseMore(reply: FastifyReply): Refusal {
  for (const name of Object.keys(reply.getHeaders()))
    if (/^(?:content-|accept-ranges$|etag$|x-accel)/.test(name)) void reply.removeHeader(name)
  return tooMany(30, 'Der hentes for mange ZIP-filer på én gang. Vent, til en af dem er hentet.')
}
