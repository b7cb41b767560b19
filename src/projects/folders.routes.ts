import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type AskedAct, type Gate } from '../access/gate.ts'
import { visitOf } from '../access/visit.routes.ts'
import { dayOf } from '../base/time/dates.ts'
import type { Parts } from '../server/parts.ts'
import { actorOf } from '../log/actor.routes.ts'
import type { Trx } from '../server/database/database.ts'
import { editIn } from '../server/edits.ts'
import { Refusal } from '../server/http/errors.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit, type Refused } from '../server/http/forms/submit.ts'
import { flag, id, line, list, optionalLine, validate } from '../server/http/validate.ts'
import { urls } from '../urls.ts'
import { applyExpectations, countDiffering } from './expected/apply-template.db.ts'
import { EXPECTS_FIELDS, isInOrder, NOT_IN_ORDER } from './expected/expected-forms.server.ts'
import { fitsInFileName, type Folder, type FolderMove, type FolderSet } from './folder.ts'
import {
  addFolder,
  addSubName,
  changeFolder,
  listFolders,
  MOST_SUB_NAMES,
  moveFolder,
  removeFolder,
  workOnFolders,
} from './folders.db.ts'
import { hasAuditor } from './members.db.ts'
import { FOLDER_ACT } from './project-acts.server.ts'
import { getProject } from './project/projects.db.ts'

const UNFIT = 'Navnet skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.'
const folderName = line('Navnet', 100).refine(fitsInFileName, { error: UNFIT })

const Form = z
  .object({
    name: folderName,
    sub_names: list(folderName, MOST_SUB_NAMES),
    visible_to_investors: flag,
    ...EXPECTS_FIELDS,
    // Sent by the remove button of a chip, without JavaScript.
    without: optionalLine('Angiv, hvilket navn der skal fjernes.').optional(),
  })
  .refine(isInOrder, { error: NOT_IN_ORDER, path: ['expects_to'] })
  .transform(({ without, ...fields }) => ({
    ...fields,
    sub_names: fields.sub_names.filter((name) => name !== without),
  }))

const WHERE = 'Angiv, hvor mappen skal flyttes hen.'
const Move = z
  .object({
    to: z.enum(['up', 'down'], { error: WHERE }).optional(),
    after: z.union([id, z.literal('')], { error: WHERE }).optional(),
  })
  .refine(({ to, after }) => (to === undefined) !== (after === undefined), { error: WHERE, path: ['to'] })

type Address = {
  Params: { project?: string; folder: string }
  Querystring: { edit?: string; apply?: string; applied?: string }
}
type Call = FastifyRequest<Address>

/** Adds the page that edits folders, at one address for projects and one for the template. */
export function addFolders(app: FastifyInstance, parts: Parts, gate: Gate): void {
  addFolderSet(app, parts, gate, urls.projectFolders(':project'))
  addFolderSet(app, parts, gate, urls.templateFolders)
  addSubNames(app, parts)
  addApplying(app, parts)
}

const SubName = z.object({ name: folderName, template: flag })

/** Lets the upload form remember what a folder is also called. */
function addSubNames(app: FastifyInstance, { db }: Parts): void {
  const address = urls.addSubName(':project', ':folder')
  app.post<Address>(address, { config: { right: 'editProjects' } }, async (request, reply) => {
    const project = await getProject(db, userOf(request), idIn(request.params.project!))
    return submit(request, reply, async () => {
      const { name, template } = validate(SubName, request.body)
      const folder = idIn(request.params.folder)
      await addSubName(db, actorOf(request), project.id, folder, { name, isInTemplate: template })
      return urls.projectFolders(project.id)
    })
  })
}

/** Gives all projects the template's expectations. */
function addApplying(app: FastifyInstance, { db }: Parts): void {
  app.post(urls.applyExpectations, { config: { right: 'editProjects' } }, (request, reply) =>
    submit(request, reply, async () => {
      const { folders } = await applyExpectations(db, actorOf(request))
      return `${urls.templateFolders}?applied=${folders}`
    }),
  )
}

function addFolderSet(app: FastifyInstance, { db, config }: Parts, gate: Gate, address: string): void {
  const edit = { config: { right: 'editProjects' } } as const

  const projectOf = (request: Call) =>
    request.params.project === undefined
      ? null
      : getProject(db, userOf(request), idIn(request.params.project))

  const templateOf = async ({ apply, applied }: Call['query']) => ({
    asks: apply === undefined ? null : await countDiffering(db),
    applied: /^\d{1,6}$/.test(String(applied)) ? Number(applied) : null,
  })

  async function show(request: Call, reply: FastifyReply, refused?: Refused & { folder: number | null }) {
    const project = await projectOf(request)
    const folders = await listFolders(db, project?.id ?? 'template')
    const isAudited = project !== null && (await hasAuditor(db, project.id))
    const editing = refused ? refused.folder : Number(request.query.edit) || null
    return reply.page(
      'folders',
      {
        project,
        hasAuditor: isAudited,
        folders,
        editing,
        template: project === null ? await templateOf(request.query) : null,
        ...(refused && { refused }),
      },
      project ? `Mapper i ${project.name}` : 'Mappeskabelon',
    )
  }

  type Changed = { folders: Folder[]; asked?: AskedAct }

  /** Makes a change, and answers with the folders after it. */
  const change = (
    request: Call,
    reply: FastifyReply,
    work: (trx: Trx, set: FolderSet) => Promise<unknown>,
    folder?: number | null,
  ) => answer(request, reply, async (set) => ({ folders: await workOnFolders(db, set, work) }), folder)

  /** The same for a change that may have to wait for a colleague: then the folders are unchanged. */
  async function answer(
    request: Call,
    reply: FastifyReply,
    work: (set: FolderSet) => Promise<Changed>,
    folder?: number | null,
  ) {
    const project = await projectOf(request)
    const set = project?.id ?? 'template'
    return submit(
      request,
      reply,
      async () => {
        const { folders, asked } = await work(set).catch(async (error: unknown) => {
          // Someone else changed the folders first: the answer has their current state.
          const isStale = error instanceof Refusal && !error.clash && [404, 409].includes(error.status)
          throw isStale ? Object.assign(error, { more: { folders: await listFolders(db, set) } }) : error
        })
        if (asked) return { ...redirectToWaiting(asked), folders }
        return { redirect: project ? urls.projectFolders(project.id) : urls.templateFolders, folders }
      },
      folder === undefined ? undefined : (refused) => show(request, reply, { ...refused, folder }),
    )
  }

  app.get<Address>(address, edit, (request, reply) => show(request, reply))

  app.post<Address>(address, edit, (request, reply) =>
    change(
      request,
      reply,
      (trx, set) => addFolder(trx, actorOf(request), set, validate(Form, request.body)),
      null,
    ),
  )

  app.post<Address>(urls.folder(address, ':folder'), edit, (request, reply) => {
    const folder = idIn(request.params.folder)
    return answer(
      request,
      reply,
      async (set) => {
        const fields = validate(Form, request.body)
        const opened = editIn(request.body)
        // The template's folders have no files.
        if (set === 'template')
          return {
            folders: await workOnFolders(db, set, (trx) =>
              changeFolder(trx, actorOf(request), set, folder, fields, opened),
            ),
          }
        const today = dayOf(new Date(), config.timeZone)
        const params = { project: set, folder, today, fields, edit: opened }
        const { asked, result } = await gate.carryOut(visitOf(request), FOLDER_ACT, params)
        return asked ? { asked, folders: await listFolders(db, set) } : { folders: result }
      },
      folder,
    )
  })

  app.post<Address>(urls.moveFolder(address, ':folder'), edit, (request, reply) =>
    change(request, reply, (trx, set) =>
      moveFolder(trx, actorOf(request), set, idIn(request.params.folder), readMove(request.body)),
    ),
  )

  app.post<Address>(urls.removeFolder(address, ':folder'), edit, (request, reply) =>
    change(request, reply, (trx, set) =>
      removeFolder(trx, actorOf(request), set, idIn(request.params.folder)),
    ),
  )
}

function readMove(body: unknown): FolderMove {
  const { to, after } = validate(Move, body)
  return to ?? { after: after === '' ? null : (after ?? null) }
}
