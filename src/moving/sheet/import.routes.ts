import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type Gate } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { dayOf } from '../../base/time/dates.ts'
import { cleanLine } from '../../base/text.ts'
import { contentDisposition } from '../../files/content/content.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { findOffice } from '../../office/office.db.ts'
import { countFollowed } from '../../projects/expected/followed.db.ts'
import { XLSX } from '../../report/workbook.ts'
import { zip } from '../../report/zip.server.ts'
import { conflict, invalid, Refusal } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { listQueryOf, pageQueryOf } from '../../server/http/list-query.ts'
import { amongFew, receivesFile, sentFile, type FileFault } from '../../server/http/forms/one-file.ts'
import { listHeld } from '../../releases/held/list-held.db.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { flag, optionalDay, validate } from '../../server/http/validate.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import type { Parts } from '../../server/parts.ts'
import { readTables } from '../../server/reading/read-tables.ts'
import { Unreadable, type ReadingFault } from '../../server/reading/reading-fault.ts'
import { urls } from '../../urls.ts'
import { checkSheet } from './read/check-sheet.server.ts'
import { readChoices } from './read/column-choice.ts'
import { MOST_ROWS, MOST_SHEET_BYTES } from './read/checked-sheet.ts'
import { GIVEN_NAME, givenSheet } from './read/given-sheet.ts'
import { IMPORT_ACT } from './import-act.server.ts'
import { inviteAll, listImports, cancelInvitations } from './list-imports.db.ts'
import { ROW_STATES } from './plan/plan.ts'
import { restName, restSheet } from './rest-sheet.ts'
import {
  discardSheet,
  findSheet,
  getSheet,
  keepChoice,
  keepSheet,
  listRows,
  planAgain,
  readImportRest,
  readRest,
  readSheetTables,
} from './sheets.db.ts'
import { UndoRefused, undoSheet } from './undo-sheet.db.ts'
import { Stale } from './write-rows.db.ts'

const FAULTS: Record<FileFault, string> = {
  none: 'Vælg et ark.',
  several: 'Vælg ét ark ad gangen.',
  empty: 'Arket er tomt.',
  large: `Arket må højst fylde ${formatBytes(MOST_SHEET_BYTES)}.`,
}

const UNREADABLE: Partial<Record<ReadingFault, string>> = {
  locked: 'Arket er låst eller af den gamle slags (.xls). Gem det som .xlsx uden adgangskode.',
  damaged: 'Filen kan ikke læses. Vælg et Excel-ark (.xlsx) eller en CSV-fil.',
  notText: 'Filen kan ikke læses. Vælg et Excel-ark (.xlsx) eller en CSV-fil.',
  bomb: 'Arket fylder for meget, når det pakkes ud.',
  slow: 'Det tog for lang tid at læse arket. Del det i flere.',
  memory: `Arket er for stort at læse. Der kan højst være ${formatCount(MOST_ROWS)} rækker ad gangen.`,
}

const refused = (text: string, status = 422) => new Refusal(status, text, { file: [text] })
const BUSY = 'Der er allerede ark på vej. Vent et øjeblik, og prøv igen.'

const Confirmation = z.object({
  plan: z.string().max(100),
  invite: flag,
  followed_from: optionalDay.optional(),
})

type SheetAddress = { Params: { sheet: string } }
type ImportAddress = { Params: { done: string } }
type Shown = { faults?: string[]; refusedUndo?: { id: number; obstacles: string[] } }

const RIGHT = { config: { right: 'moveIn' } } as const

/** Adds the page where an administrator moves projects and people in from a sheet. */
export function addImport(app: FastifyInstance, parts: Parts, gate: Gate): void {
  const { db, config } = parts
  const receives = receivesFile({
    mostBytes: MOST_SHEET_BYTES,
    refused: (fault) => refused(FAULTS[fault], fault === 'large' ? 413 : 422),
    broken: 'Arket kom ikke helt frem. Prøv igen.',
    busy: BUSY,
  })
  const receive = { ...receives, config: { ...receives.config, ...RIGHT.config } }
  const today = () => dayOf(new Date(), config.timeZone)
  const sendsMail = config.smtpUrl !== null

  app.get(urls.import, RIGHT, (request, reply) => showImport(parts, request, reply))

  app.get(urls.givenSheet, { ...RIGHT, compress: false }, async (_request, reply) => {
    const { name: office } = await findOffice(db)
    return sendWorkbook(reply, GIVEN_NAME, givenSheet(office))
  })

  app.post<SheetAddress>(urls.sheetColumns(':sheet'), RIGHT, (request, reply) =>
    submit(request, reply, async () => {
      const [{ id: userId }, id] = [userOf(request), idIn(request.params.sheet)]
      const { columns } = await getSheet(db, userId, id)
      const choices = readChoices(columns, Object(request.body) as Record<string, unknown>)
      await keepChoice(db, userId, id, await checkSheet(await readSheetTables(db, userId, id), choices))
      return urls.sheet(id)
    }),
  )

  app.get<SheetAddress>(urls.sheetRest(':sheet'), { ...RIGHT, compress: false }, async (request, reply) => {
    const { name, rest } = await readRest(db, userOf(request).id, idIn(request.params.sheet))
    return sendWorkbook(reply, restName(name), restSheet(rest, (await findOffice(db)).name))
  })

  app.post(urls.import, receive, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const file = sentFile(request)
        if (!file) throw refused(FAULTS.none)
        const tables = await amongFew(request, BUSY, () => readSheet(file.bytes))
        const checked = await checkSheet(tables)
        const name = cleanLine(file.name.slice(0, 255)) || 'Ark'
        return urls.sheet(await keepSheet(db, userOf(request).id, name, checked, tables))
      },
      ({ errors, message }) => showImport(parts, request, reply, { faults: errors.file ?? [message] }),
    ),
  )

  const showSheet = async (request: FastifyRequest, reply: FastifyReply, id: number, message?: string) => {
    const query = pageQueryOf(request, [], ROW_STATES)
    const sheet = await getSheet(db, userOf(request).id, id)
    const page = await listRows(db, id, query)
    return reply.page(
      'sheet',
      { sheet, page, query, sendsMail, today: today(), ...(message && { message }) },
      'Forhåndsvisning',
    )
  }

  app.get<SheetAddress>(urls.sheet(':sheet'), RIGHT, (request, reply) =>
    showSheet(request, reply, idIn(request.params.sheet)),
  )

  app.get<SheetAddress>(urls.listSheetRows(':sheet'), RIGHT, async (request, reply) => {
    const { id } = await getSheet(db, userOf(request).id, idIn(request.params.sheet))
    return reply.send(await listRows(db, id, listQueryOf(request, [], ROW_STATES)))
  })

  app.post<SheetAddress>(urls.sheet(':sheet'), RIGHT, async (request, reply) => {
    const id = idIn(request.params.sheet)
    const { id: userId } = userOf(request)
    try {
      return await submit(
        request,
        reply,
        async () => {
          const { plan: hash, invite, followed_from: from } = validate(Confirmation, request.body)
          requireFreshProof(request)
          const confirmed = { id, userId, hash, today: today(), invites: invite, followedFrom: from ?? null }
          const { asked } = await gate.carryOut(visitOf(request), IMPORT_ACT, confirmed)
          return asked ? redirectToWaiting(asked) : urls.import
        },
        ({ message }) => showSheet(request, reply, id, message),
      )
    } catch (error) {
      if (!(error instanceof Stale)) throw error
      await planAgain(db, userId, id)
      if (wantsJson(request)) throw error
      void reply.code(409)
      return showSheet(request, reply, id, error.message)
    }
  })

  app.post<SheetAddress>(urls.discardSheet(':sheet'), RIGHT, (request, reply) =>
    submit(request, reply, async () => {
      await discardSheet(db, userOf(request).id, idIn(request.params.sheet))
      return urls.import
    }),
  )

  addDone(app, parts)
}

/** Adds the acts on an imported sheet. */
function addDone(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts

  app.get<ImportAddress>(urls.importRest(':done'), { ...RIGHT, compress: false }, async (request, reply) => {
    const { name, rest } = await readImportRest(db, idIn(request.params.done))
    return sendWorkbook(reply, restName(name), restSheet(rest, (await findOffice(db)).name))
  })

  app.post<ImportAddress>(urls.inviteImported(':done'), RIGHT, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        if (config.smtpUrl === null)
          throw invalid({
            invite: [
              'Der er ikke sat en mailserver op. Inviter hver person under Personer, og giv linket videre.',
            ],
          })
        requireFreshProof(request)
        await inviteAll(db, visitOf(request), idIn(request.params.done))
        return urls.import
      },
      ({ message }) => showImport(parts, request, reply, { faults: [message] }),
    ),
  )

  app.post<ImportAddress>(urls.cancelInvitations(':done'), RIGHT, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        await cancelInvitations(db, visitOf(request), idIn(request.params.done))
        return urls.import
      },
      ({ message }) => showImport(parts, request, reply, { faults: [message] }),
    ),
  )

  app.post<ImportAddress>(urls.undoImport(':done'), RIGHT, async (request, reply) => {
    const id = idIn(request.params.done)
    try {
      return await submit(request, reply, async () => {
        requireFreshProof(request)
        await undoSheet(db, actorOf(request), id)
        return urls.import
      })
    } catch (error) {
      if (!(error instanceof UndoRefused)) throw error
      const { obstacles } = error
      if (wantsJson(request))
        throw Object.assign(conflict(`Importen kan ikke fortrydes. ${obstacles.join(' ')}`), {
          more: { obstacles },
        })
      void reply.code(409)
      return showImport(parts, request, reply, { refusedUndo: { id, obstacles } })
    }
  })
}

const sendWorkbook = async (reply: FastifyReply, name: string, parts: Parameters<typeof zip>[0]) =>
  reply
    .type(XLSX)
    .header('content-disposition', contentDisposition('attachment', name))
    .header('cache-control', 'private, no-store')
    .send(await zip(parts))

async function showImport(
  { db, config }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown = {},
): Promise<FastifyReply> {
  const waiting = await findSheet(db, userOf(request).id)
  const regretMinutes = config.releaseRegretMinutes
  const imports = await listImports(db, regretMinutes)
  const held = await listHeld(db, userOf(request), 'directories')
  const sendsMail = config.smtpUrl !== null
  const projects = await countFollowed(db, userOf(request))
  const today = dayOf(new Date(), config.timeZone)
  const props = {
    waiting,
    imports,
    held,
    projects,
    today,
    sendsMail,
    leaving: { minutes: regretMinutes, sendsMail },
  }
  return reply.page('import', { ...props, ...shown }, 'Flyt ind')
}

async function readSheet(bytes: Buffer) {
  try {
    // One row more than allowed, and the rows above the headings.
    return await readTables(bytes, MOST_ROWS + 100)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw refused(UNREADABLE[error.fault] ?? 'Filen kan ikke læses.')
  }
}
