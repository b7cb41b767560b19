import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type Gate } from '../access/gate.ts'
import { visitOf } from '../access/visit.routes.ts'
import { findTaken } from '../accounts/change-user.db.ts'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { EMAIL_TAKEN } from '../accounts/users/users.db.ts'
import { pickFields } from '../base/fields/field.ts'
import type { Parts } from '../server/parts.ts'
import { findProject, listProjectsOf, UNKNOWN_PROJECT, type ProjectChanges } from '../projects/members.db.ts'
import { hasOwnFiles, isAdministrator, isLentTo, isMemberRole } from '../rights.ts'
import { editIn } from '../server/edits.ts'
import { invalid } from '../server/http/errors.ts'
import { requireFreshProof } from '../server/http/fresh-proof.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit, type Refused } from '../server/http/forms/submit.ts'
import { flag, id, list, optionalLine, validate } from '../server/http/validate.ts'
import { urls } from '../urls.ts'
import { keepInvitationLink } from './user/invitation-link.routes.ts'
import { promotionOf } from './promotion.ts'
import { ADD_USER_ACT, SAVE_USER_ACT } from './user-acts.server.ts'
import { USER_SCHEMAS } from './user-fields.server.ts'
import { ADVISER_HAS_NO_PROJECTS, INVESTOR_NEEDS_NUMBER } from './user-rules.ts'
import { getUser } from './user/users.db.ts'
import type { UserAddress } from './users.routes.ts'

const shortText = optionalLine('Feltet skal være en tekst.')

const Form = z
  .object({
    ...USER_SCHEMAS,
    // Sent by the remove button of a chip, without JavaScript.
    without: shortText.optional(),
    add_projects: list(id, 500),
    remove_projects: list(id, 500),
    add_project: shortText.default(''),
    invite: flag,
    // Confirms that the person will see more than before.
    promote_employee: flag,
    promote_administrator: flag,
  })
  .transform(({ numbers, without, ...form }) => ({
    ...form,
    numbers: [...new Set(numbers)].filter((number) => number !== without),
  }))

type Sent = z.infer<typeof Form>

/** Adds the routes that create and change people. */
export function addUserChanges(app: FastifyInstance, parts: Parts, gate: Gate): void {
  const { db } = parts
  const edit = { config: { right: 'editUsers' } } as const
  // Each added or removed project is a field.
  const save = { config: { ...edit.config, mostFields: 1200 }, bodyLimit: 250_000 } as const

  const sendsMail = parts.config.smtpUrl !== null

  const showNew = (reply: FastifyReply, refused?: Refused) =>
    reply.page('edit-user', { user: null, projects: [], sendsMail, ...(refused && { refused }) }, 'Ny person')

  app.get(urls.newUser, edit, (_request, reply) => showNew(reply))

  app.post(urls.newUser, save, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const form = validate(Form, request.body, await faultsOf(db, request.body, null))
        if (isAdministrator(form.role)) requireFreshProof(request)
        const { asked, result } = await gate.carryOut(visitOf(request), ADD_USER_ACT, {
          fields: pickFields(USER_FIELDS, form),
          projects: projectsOf(form),
          isInvited: form.invite,
        })
        if (asked) return redirectToWaiting(asked)
        const { id: user, invitation } = result
        keepInvitationLink(reply, parts, user, invitation)
        return urls.user(user)
      },
      (refused) => showNew(reply, refused),
    ),
  )

  const showEdit = async (request: FastifyRequest, reply: FastifyReply, user: number, refused?: Refused) =>
    reply.page(
      'edit-user',
      {
        user: await getUser(db, userOf(request), user),
        projects: await listProjectsOf(db, user),
        sendsMail,
        ...(refused && { refused }),
      },
      'Rediger person',
    )

  app.get<UserAddress>(urls.editUser(':user'), edit, (request, reply) =>
    showEdit(request, reply, idIn(request.params.user)),
  )

  app.post<UserAddress>(urls.editUser(':user'), save, async (request, reply) => {
    const {
      id: user,
      access,
      role,
      name,
      email: oldEmail,
    } = await getUser(db, userOf(request), idIn(request.params.user))
    return submit(
      request,
      reply,
      async () => {
        const form = validate(Form, request.body, await faultsOf(db, request.body, user))
        const opened = editIn(request.body)
        const newRole = opened?.was.role === form.role ? role : form.role
        const newEmail = opened?.was.email === form.email ? oldEmail : form.email
        const promotion = promotionOf(role, newRole)
        const field = isAdministrator(form.role) ? 'promote_administrator' : 'promote_employee'
        if (promotion && !form[field])
          throw invalid({ [field]: [`Sæt kryds for at bekræfte, at ${name} skal se så meget.`] })
        if (newRole !== role || newEmail !== oldEmail) requireFreshProof(request)
        const { asked, result } = await gate.carryOut(visitOf(request), SAVE_USER_ACT, {
          user,
          isWaiting: access.state === 'invited',
          fields: pickFields(USER_FIELDS, form),
          edit: opened,
          projects: projectsOf(form),
        })
        if (asked) return redirectToWaiting(asked)
        keepInvitationLink(reply, parts, user, result.invitation)
        return urls.user(user)
      },
      (refused) => showEdit(request, reply, user, refused),
    )
  })
}

const projectsOf = (form: Sent): ProjectChanges => ({
  add: form.add_projects,
  remove: form.remove_projects,
  addByNumber: form.add_project,
})

/** Finds the faults that only the database knows, so that they are shown together with those of the form itself. */
async function faultsOf(db: Parts['db'], body: unknown, user: number | null) {
  const form = readAlone(body)
  const { email: address = '', role, numbers, project } = form
  const taken = await findTaken(db, { email: address, numbers: numbers ?? [] }, user)
  const byNumber: [string, string[]][] = [...taken.numbers].map(([number, name], index) => [
    `numbers.${index}`,
    [`Nummeret ${number} bruges af ${name}.`],
  ])
  const isUnknown = role && isMemberRole(role) && project && (await findProject(db, project)) === null
  return {
    ...(taken.isEmailTaken && EMAIL_TAKEN),
    ...(role && hasOwnFiles(role) && numbers?.length === 0 && NO_NUMBER),
    ...Object.fromEntries(byNumber),
    ...(isUnknown && UNKNOWN_PROJECT),
    ...(role && isLentTo(role) && adviserFaults(form)),
  }
}

const adviserFaults = ({ numbers, hasProjects }: ReturnType<typeof readAlone>) => ({
  ...(numbers?.length && NO_NUMBERS),
  ...(hasProjects && NO_PROJECTS),
})

/** Reads the fields that are right, though others may be wrong. */
function readAlone(body: unknown) {
  const { shape } = Form.in
  const form = (body ?? {}) as Record<string, unknown>
  const without = shape.without.safeParse(form.without).data
  const project = shape.add_project.safeParse(form.add_project).data
  const projects = shape.add_projects.safeParse(form.add_projects).data ?? []
  return {
    email: shape.email.safeParse(form.email).data,
    role: shape.role.safeParse(form.role).data,
    numbers: shape.numbers.safeParse(form.numbers).data?.filter((number) => number !== without),
    project,
    hasProjects: projects.length > 0 || Boolean(project),
  }
}

const NO_NUMBERS = { 'numbers.0': ['En rådgiver har ingen numre. Fjern dem først.'] }
const NO_PROJECTS = { add_project: [ADVISER_HAS_NO_PROJECTS] }
const NO_NUMBER = { 'numbers.0': [INVESTOR_NEEDS_NUMBER] }
