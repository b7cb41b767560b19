import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type Gate } from '../access/gate.ts'
import { listClients } from '../access/lenders.db.ts'
import { clientFilters, clientIn } from '../access/lent.ts'
import { visitOf } from '../access/visit.routes.ts'
import { writeFilters } from '../base/filter-address.ts'
import type { ListQuery } from '../base/list-query.ts'
import { dayOf } from '../base/time/dates.ts'
import type { Parts } from '../server/parts.ts'
import { actorOf } from '../log/actor.routes.ts'
import { editIn } from '../server/edits.ts'
import { editSchemas, newSchemas } from '../server/fields.ts'
import { idIn } from '../server/http/ids.ts'
import { pageQueryOf } from '../server/http/list-query.ts'
import { userOf } from '../server/http/permit.ts'
import { listIn } from '../server/http/program-call.ts'
import { submit, type Refused } from '../server/http/forms/submit.ts'
import { id, list, optionalLine, validate } from '../server/http/validate.ts'
import { may } from '../rights.ts'
import { urls } from '../urls.ts'
import { readAccountingYears } from './expected/accounting-years.db.ts'
import { YEAR_SCHEMAS } from './expected/expected-forms.server.ts'
import type { YearFields } from './expected/years.db.ts'
import { findCandidate, listMembers, UNKNOWN, type MemberChanges } from './members.db.ts'
import { listProjectsWithNews } from './news/news.db.ts'
import { LIST_PROJECTS } from './project-calls.server.ts'
import { PROJECT_SCHEMAS } from './project-fields.server.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import { PROJECT_COLUMNS } from './project/project.ts'
import { getProject, isNumberTaken, TAKEN } from './project/projects.db.ts'
import { PROJECT_ACT } from './project-acts.server.ts'
import { saveNewProject } from './save-project.db.ts'

const FIELDS = {
  ...YEAR_SCHEMAS,
  add_members: list(id, 500),
  remove_members: list(id, 500),
  add_member: optionalLine('Skriv et nummer eller en e-mail.').default(''),
}

const NewForm = z.object({ ...newSchemas(OWN_FIELDS, PROJECT_SCHEMAS), ...FIELDS })
/** Fields that are left out keep their value. */
const EditForm = z.object({ ...editSchemas(OWN_FIELDS, PROJECT_SCHEMAS), ...FIELDS })

type Address = { Params: { project: string } }

/** Where investors and advisers find their projects: with the same search, of the same client. */
function papersOf({ q, filter }: ListQuery): string {
  const client = filter === undefined ? null : clientIn(filter)
  return urls.papersPage + writeFilters({ q, client }, { q: '', client: null as number | null })
}

export function addProjects(app: FastifyInstance, { db, config }: Parts, gate: Gate): void {
  const today = () => dayOf(new Date(), config.timeZone)
  const see = { config: { right: 'seeProjects' } } as const
  const edit = { config: { right: 'editProjects' } } as const
  // Each added or removed member is a field.
  const save = { config: { ...edit.config, mostFields: 1200 }, bodyLimit: 250_000 } as const

  const listed = { config: { ...see.config, program: LIST_PROJECTS } } as const
  /** Advisers choose for whom they look. */
  const filtersFor = async (request: FastifyRequest) => clientFilters(await listClients(db, userOf(request)))
  app.get(urls.listProjects, listed, async (request, reply) => {
    const filters = Object.keys(await filtersFor(request))
    const query = listIn(request, { list: { ...LIST_PROJECTS.list, filters } })
    return reply.send(await listProjectsWithNews(db, userOf(request), query))
  })

  app.get(urls.projects, see, async (request, reply) => {
    if (may(userOf(request).role, 'seePapers')) {
      const query = pageQueryOf(request, PROJECT_COLUMNS, Object.keys(await filtersFor(request)))
      return reply.redirect(papersOf(query), 303)
    }
    const query = pageQueryOf(request, PROJECT_COLUMNS)
    return reply.page(
      'projects',
      { query, page: await listProjectsWithNews(db, userOf(request), query) },
      'Projekter',
    )
  })

  const showNew = (reply: FastifyReply, refused?: Refused) =>
    reply.page(
      'edit-project',
      { project: null, years: null, members: [], ...(refused && { refused }) },
      'Nyt projekt',
    )

  app.get(urls.newProject, edit, (_request, reply) => showNew(reply))

  app.post(urls.newProject, save, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const sent = validate(NewForm, request.body, await faultsOf(db, request.body, null))
        const saved = { ...split(sent), today: today() }
        return urls.projectFolders(await saveNewProject(db, actorOf(request), saved))
      },
      (refused) => showNew(reply, refused),
    ),
  )

  const showEdit = async (
    reply: FastifyReply,
    reader: ReturnType<typeof userOf>,
    project: number,
    refused?: Refused,
  ) =>
    reply.page(
      'edit-project',
      {
        project: await getProject(db, reader, project),
        years: (await readAccountingYears(db, [project])).get(project)!,
        members: await listMembers(db, reader, project),
        ...(refused && { refused }),
      },
      'Rediger projekt',
    )

  app.get<Address>(urls.editProject(':project'), edit, (request, reply) =>
    showEdit(reply, userOf(request), idIn(request.params.project)),
  )

  app.post<Address>(urls.editProject(':project'), save, async (request, reply) => {
    const { id: project } = await getProject(db, userOf(request), idIn(request.params.project))
    return submit(
      request,
      reply,
      async () => {
        const sent = validate(EditForm, request.body, await faultsOf(db, request.body, project))
        const saved = { ...split(sent), today: today() }
        const { asked } = await gate.carryOut(visitOf(request), PROJECT_ACT, {
          project,
          saved,
          edit: editIn(request.body),
        })
        return asked ? redirectToWaiting(asked) : urls.projects
      },
      (refused) => showEdit(reply, userOf(request), project, refused),
    )
  })
}

/** Finds the faults that only the database knows, so that they are shown together with those of the form itself. */
async function faultsOf(db: Parts['db'], body: unknown, project: number | null) {
  const form = (body ?? {}) as Record<string, unknown>
  const number = PROJECT_SCHEMAS.number.safeParse(form.number)
  const member = FIELDS.add_member.safeParse(form.add_member)
  const isTaken = number.success && (await isNumberTaken(db, number.data, project))
  const isUnknown = member.success && member.data !== '' && (await findCandidate(db, member.data)) === null
  return { ...(isTaken && TAKEN), ...(isUnknown && UNKNOWN) }
}

type Sent = YearFields & { add_members: number[]; remove_members: number[]; add_member: string }

function split<Fields>({
  add_members: add,
  remove_members: remove,
  add_member: addByName,
  year_ends,
  held_from,
  sold_on,
  followed_from,
  year_changes,
  ...fields
}: Sent & Fields) {
  const members: MemberChanges = { add, remove, addByName }
  return { fields, members, years: { year_ends, held_from, sold_on, followed_from, year_changes } }
}
