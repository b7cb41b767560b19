import { listReadersOfOwn } from '../access/outside-readers.db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listLenders } from '../access/lenders.db.ts'
import type { Parts } from '../server/parts.ts'
import { readFileList } from '../files/list/files.routes.ts'
import { listEntries } from '../log/entries.db.ts'
import { countOwnNews } from '../projects/news/news.db.ts'
import { listProjectsOf } from '../projects/members.db.ts'
import { countCompanies } from '../report/report.db.ts'
import { listWaitingMailings } from '../releases/mailings/mailings.db.ts'
import { hasOwnFiles, isLentTo, isOffice, may, ROLES } from '../rights.ts'
import { notFound } from '../server/http/errors.ts'
import { idIn } from '../server/http/ids.ts'
import { listQueryOf, pageQueryOf } from '../server/http/list-query.ts'
import { userOf } from '../server/http/permit.ts'
import { listIn } from '../server/http/program-call.ts'
import { urls } from '../urls.ts'
import { takeInvitationLink } from './user/invitation-link.routes.ts'
import { listLendings } from './lend/lend.db.ts'
import { listIdentities } from '../accounts/oidc/identities.db.ts'
import type { Lending } from './lend/lending.ts'
import type { UserDetails } from './user/user-details.ts'
import { LIST_USERS } from './user-calls.server.ts'
import { listPeople } from './user/people-list.db.ts'
import { PEOPLE_FILTERS } from './user/people-list.ts'
import { USER_COLUMNS } from './user/user-row.ts'
import { getUser, listUsers } from './user/users.db.ts'

export type UserAddress = { Params: { user: string } }

/** Adds the list of people and the page of each person. */
export function addUsers(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  const see = { config: { right: 'seeUsers' } } as const

  const list = { config: { ...see.config, program: LIST_USERS } } as const
  app.get(urls.listUsers, list, (request) => listUsers(db, userOf(request), listIn(request, LIST_USERS)))

  app.get(urls.users, see, async (request, reply) => {
    const query = pageQueryOf(request, USER_COLUMNS, Object.keys(PEOPLE_FILTERS), ROLES)
    const mayEdit = may(userOf(request).role, 'editUsers')
    const { releaseRegretMinutes: minutes, smtpUrl } = config
    const [page, mailings] = await Promise.all([
      listPeople(db, userOf(request), query),
      mayEdit ? listWaitingMailings(db, ['invited-people'], minutes) : [],
    ])
    const leaving = { minutes, sendsMail: smtpUrl !== null }
    return reply.page('users', { query, page, mailings, leaving }, 'Personer')
  })

  app.get(urls.listPeople, see, (request) =>
    listPeople(db, userOf(request), listQueryOf(request, USER_COLUMNS, Object.keys(PEOPLE_FILTERS), ROLES)),
  )

  app.get<UserAddress>(urls.user(':user'), { config: { right: 'seeUserFiles' } }, async (request, reply) => {
    const reader = userOf(request)
    const id = idIn(request.params.user)
    if (isOffice(reader.role)) return showUser(parts, request, reply, id)
    if (isLentTo(reader.role)) return showLender(parts, request, reply, id)
    if (id !== reader.id) throw notFound('Personen findes ikke.')
    return reply.redirect(urls.myFiles, 303)
  })
}

/** Shows an adviser one of the people who lend to them. */
async function showLender(
  { db }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
): Promise<FastifyReply> {
  const [lender] = await listLenders(db, userOf(request), id)
  if (!lender) throw notFound('Personen findes ikke.')
  const isOwnLent = lender.is_everything || lender.with_own_files
  const files = isOwnLent ? await readFileList(db, request, { user: id }) : null
  const { until } = await countOwnNews(db, userOf(request), id)
  return reply.page('lender', { lender, files, until }, lender.name)
}

/** Lists what an investor lends, or what is lent to an adviser. Null for others. */
async function listLendingsOf(db: Parts['db'], { id, role }: UserDetails): Promise<Lending[] | null> {
  if (hasOwnFiles(role)) return listLendings(db, { lender: id })
  return isLentTo(role) ? listLendings(db, { adviser: id }) : null
}

const SHOWN_ENTRIES = 8

/** Shows a person's page, also after an action on it was refused. */
export async function showUser(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
  refused?: string,
): Promise<FastifyReply> {
  const { db } = parts
  const user = await getUser(db, userOf(request), id)
  const projects = await listProjectsOf(db, id)
  const files = await readFileList(db, request, { user: id })
  const readers = (await listReadersOfOwn(db, [id])).get(id)!
  const companies = await countCompanies(db, id)
  const lendings = await listLendingsOf(db, user)
  const mayKnow = may(userOf(request).role, 'seeLog')
  const activity = mayKnow ? await listEntries(db, { person: id, limit: SHOWN_ENTRIES }) : null
  return reply.page(
    'user',
    {
      user,
      projects,
      companies,
      lendings,
      files,
      readers,
      activity,
      invitationLink: may(userOf(request).role, 'editUsers')
        ? takeInvitationLink(request, reply, parts, id)
        : null,
      identities: may(userOf(request).role, 'editUsers')
        ? await listIdentities(db, id, parts.config.providers)
        : [],
      sendsMail: parts.config.smtpUrl !== null,
      ...(refused && { refused }),
    },
    user.name,
  )
}
