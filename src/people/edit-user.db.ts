import { sql } from 'kysely'
import { changeUser } from '../accounts/change-user.db.ts'
import { lockPeople } from '../accounts/users/lock-people.db.ts'
import { emailLeftMail, emailTakenUpMail, roleChangedMail } from '../accounts/mails/mails.ts'
import { inviteUser, sendPasswordLink } from '../accounts/links/link-mail.db.ts'
import { addLinkToken, SENT_LINK_HOURS } from '../accounts/links/link-tokens.db.ts'
import type { SentUser } from '../accounts/users/user.fields.ts'
import type { User } from '../accounts/users/user.ts'
import { addUser } from '../accounts/users/users.db.ts'
import type { Edit } from '../server/edits.ts'
import { emailKey } from '../base/text.ts'
import type { Actor } from '../log/log.db.ts'
import { findOffice } from '../office/office.db.ts'
import { changeProjectsOf, leaveProjects, type ProjectChanges } from '../projects/members.db.ts'
import { isMemberRole, ROLE_NAMES, type Role } from '../rights.ts'
import { transactional, type Trx } from '../server/database/database.ts'
import { sendSecurityMail } from '../server/mail.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'

type Sender = Pick<Parts, 'jobs' | 'config'>
type Invited = { id: number; email: string }

/** Returns the invitation's token if no mail can be sent, so that the inviter can pass the link on. */
async function sendInvitation(trx: Trx, { jobs, config }: Sender, actor: Actor, user: Invited) {
  await inviteUser(trx, jobs, actor, user)
  return config.smtpUrl === null ? addLinkToken(trx, 'invitation', user.id) : null
}

export const inviteAgain = transactional(
  async (trx: Trx, sender: Sender, actor: Actor, user: Invited): Promise<string | null> => {
    await lockPeople(trx, actor)
    return sendInvitation(trx, sender, actor, user)
  },
)

/**
 * Returns the link's token if no mail can be sent. Only an administrator gets it, since its holder can sign in as the
 * person.
 */
export const sendLink = transactional(
  async (trx: Trx, { jobs, config }: Sender, actor: Actor, user: Invited): Promise<string | null> => {
    const hasMail = config.smtpUrl !== null
    if (!hasMail) await lockPeople(trx, actor)
    await sendPasswordLink(trx, jobs, actor, user)
    return hasMail ? null : addLinkToken(trx, 'reset', user.id, SENT_LINK_HOURS)
  },
)

type Saved = { id: number; invitation: string | null }

export const saveNewUser = transactional(
  async (
    trx: Trx,
    sender: Sender,
    actor: Actor,
    fields: SentUser,
    projects: ProjectChanges,
    isInvited: boolean,
  ): Promise<Saved> => {
    await lockPeople(trx, actor)
    const user = await addUser(trx, actor, fields)
    await setProjects(trx, actor, user, projects)
    return { id: user.id, invitation: isInvited ? await sendInvitation(trx, sender, actor, user) : null }
  },
)

export const saveUser = transactional(
  async (
    trx: Trx,
    sender: Sender,
    actor: Actor,
    user: { id: number; isWaiting: boolean },
    fields: SentUser,
    edit: Edit | null,
    projects: ProjectChanges,
  ): Promise<Saved> => {
    const { before, after } = await changeUser(trx, actor, user.id, fields, edit)
    await setProjects(trx, actor, { id: user.id, role: after.role }, projects)
    const hasMoved = emailKey(before.email) !== emailKey(after.email)
    if (hasMoved && before.has_way_in) {
      const login = sender.config.appUrl + urls.login
      const office = await findOffice(trx)
      const old = { ...after, id: user.id, email: before.email }
      await sendSecurityMail(trx, sender.jobs, emailLeftMail(office, old, login))
      await sendSecurityMail(trx, sender.jobs, emailTakenUpMail(office, { ...after, id: user.id }, login))
    }
    if (before.role !== after.role)
      await mailAboutRole(trx, sender, user.id, {
        before: ROLE_NAMES[before.role],
        after: ROLE_NAMES[after.role],
      })
    // The invitation that was sent to the old address no longer works.
    const isInvited = hasMoved && user.isWaiting && !before.deactivated_at
    const invited = { id: user.id, email: after.email }
    return { id: user.id, invitation: isInvited ? await sendInvitation(trx, sender, actor, invited) : null }
  },
)

/** The office sees every project and is a member of none; an adviser sees what is lent to them. */
async function setProjects(
  trx: Trx,
  actor: Actor,
  user: { id: number; role: Role },
  changes: ProjectChanges,
): Promise<void> {
  if (isMemberRole(user.role)) await changeProjectsOf(trx, actor, user.id, changes)
  else await leaveProjects(trx, actor, user.id)
}

/** Mails somebody that their role has changed. Not somebody who is deactivated or has never signed in. */
async function mailAboutRole(
  trx: Trx,
  { jobs, config }: Sender,
  userId: number,
  roles: { before: string; after: string },
): Promise<void> {
  const { rows } = await sql<User>`
    select id, name, email, role from users
    where id = ${userId} and deactivated_at is null and has_way_in(users)`.execute(trx)
  const [user] = rows
  if (!user) return
  await sendSecurityMail(
    trx,
    jobs,
    roleChangedMail(await findOffice(trx), user, config.appUrl + urls.login, roles),
  )
}
