import { sql, type RawBuilder } from 'kysely'
import { IS_LENT_NOW } from '../../access/lent.db.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import { lockPeople, waitForPeople } from '../../accounts/users/lock-people.db.ts'
import { addLinkToken } from '../../accounts/links/link-tokens.db.ts'
import { countLendTry } from '../../accounts/throttle/sign-in-throttle.db.ts'
import { addUser, findAccount, hasWayIn } from '../../accounts/users/users.db.ts'
import type { User } from '../../accounts/users/user.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import type { Edit } from '../../server/edits.ts'
import { areMailsWaiting, askForMails, regretMails } from '../../releases/mailings/mailings.db.ts'
import { hasOwnFiles, isLentTo } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import { forbidden, invalid, notFound } from '../../server/http/errors.ts'
import { lendingValues, lendingWords } from './lending-edit.ts'
import { MOST_FOLDERS, MOST_LENDINGS, type Lending, type Terms } from './lending.ts'
import { tellBoth, tellLender, type Sender } from './tell-lending.db.ts'

const NO_LENDING = 'Adgangen findes ikke længere. Måske er den taget tilbage eller udløbet.'

/** Lists the access that holds now: given by a lender, or given to an adviser. */
export async function listLendings(
  db: Database | Trx,
  which: { lender: number; id?: number } | { adviser: number },
): Promise<Lending[]> {
  const is =
    'adviser' in which
      ? sql<boolean>`lendings.adviser_id = ${which.adviser}`
      : sql<boolean>`lendings.lender_id = ${which.lender} ${which.id === undefined ? sql`` : sql`and lendings.id = ${which.id}`}`
  type Row = Omit<Lending, 'until' | 'mails_asked_at'> & Record<'until' | 'mails_asked_at', Date | null>
  const { rows } = await sql<Row>`
    select lendings.id, lendings.is_everything, lendings.folder_names, lendings.with_own_files, lendings.gets_mails, lendings.until,
      json_build_object('id', lender.id, 'name', lender.name) as lender,
      json_build_object('id', adviser.id, 'name', adviser.name, 'email', adviser.email,
        'is_pending', not has_way_in(adviser), 'is_deactivated', adviser.deactivated_at is not null) as adviser,
      (select asked_at from mailings where lending_id = lendings.id and left_at is null and regretted_at is null) as mails_asked_at
    from lendings join users as lender on lender.id = lendings.lender_id
    join users as adviser on adviser.id = lendings.adviser_id
    where ${is} and ${IS_LENT_NOW}
    order by ${'adviser' in which ? sql`lender.name` : sql`adviser.name`}, lendings.id`.execute(db)
  return rows.map(({ until, mails_asked_at: asked, ...row }) => ({
    ...row,
    until: until?.toISOString() ?? null,
    mails_asked_at: asked?.toISOString() ?? null,
  }))
}

export async function getLending(db: Database, lender: number, id: number): Promise<Lending> {
  const [lending] = await listLendings(db, { lender, id })
  if (!lending) throw notFound(NO_LENDING)
  return lending
}

/** Lists the folder names that can be lent: the template's, and those that the lender sees in their projects. */
export async function listFolderNames(db: Database, lender: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select name, min(place) as place, 1 as part from folders
      where project_id is null and user_id is null and visible_to_investors group by name
      union all
      select name, min(place), 2 from folders
      where project_id is not null and ${isFolderSeen({ id: lender, role: 'investor' })}
        and name not in (select name from folders where project_id is null and user_id is null and visible_to_investors)
      group by name
    ) as names order by part, place, name limit ${MOST_FOLDERS}`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Lets one transaction at a time change people. Refuses somebody who is not a lender now, and those who may not act for
 * them. What was lent by somebody deactivated under an older version can only be taken back.
 */
async function lockLender(trx: Trx, actor: Actor, id: number, { mustBeActive = true } = {}): Promise<User> {
  if (actor.userId === id) await waitForPeople(trx)
  else await lockPeople(trx, actor)
  const lender = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'deactivated_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!lender || !hasOwnFiles(lender.role) || (mustBeActive && lender.deactivated_at)) throw forbidden()
  return lender
}

/** `invitation` is the token to pass on if no mail can be sent, for administrators. */
export type Lent = { adviserId: number; invitation: string | null }

/**
 * Lends access to the person with an e-mail. A stranger becomes an adviser and is invited. An investor's tries are counted, also
 * those that are refused, so that they cannot find out which e-mails have an account.
 */
export async function lendAccess(
  db: Database,
  sender: Sender,
  actor: Actor,
  lenderId: number,
  person: { name: string; email: string },
  terms: Terms,
): Promise<Lent> {
  const mayTry = actor.userId !== lenderId || (await countLendTry(db, lenderId, MOST_LENDINGS))
  return lendWithin(db, sender, actor, lenderId, person, terms, mayTry)
}

const lendWithin = transactional(
  async (
    trx: Trx,
    sender: Sender,
    actor: Actor,
    lenderId: number,
    person: { name: string; email: string },
    terms: Terms,
    mayTry: boolean,
  ): Promise<Lent> => {
    const lender = await lockLender(trx, actor, lenderId)
    const isOwn = actor.userId === lenderId
    // Checked before anything is revealed about the e-mail.
    await refuseMore(trx, lenderId, mayTry)
    const known = await findAdviser(trx, lender, isOwn, person.email)
    if (known)
      await endLendings(trx, sql`lender_id = ${lenderId} and adviser_id = ${known.id} and until <= now()`)
    const adviser = known ?? (await addUser(trx, actor, { ...person, role: 'adviser' }))
    const { until } = terms
    const { id } = await trx
      .insertInto('lendings')
      .values({ lender_id: lenderId, adviser_id: adviser.id, ...termsOf(terms), until })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addLogEntry(trx, actor, 'access-lent', { userId: adviser.id, forUserId: lenderId })
    if (isOwn) await tellBoth(trx, sender, actor, lender, adviser, terms)
    else await askForMails(trx, askerOf(actor), 'lending', { lending: id }, [lenderId, adviser.id])
    const isPassedOn = sender.config.smtpUrl === null && !isOwn && !(await hasWayIn(trx, adviser.id))
    return {
      adviserId: adviser.id,
      invitation: isPassedOn ? await addLinkToken(trx, 'invitation', adviser.id) : null,
    }
  },
)

const askerOf = (actor: Actor) => ({ actor, reader: { id: actor.userId! } })

const termsOf = ({ is_everything, folder_names, with_own_files, gets_mails }: Omit<Terms, 'until'>) => ({
  is_everything,
  folder_names: is_everything ? [] : folder_names,
  with_own_files: !is_everything && with_own_files,
  gets_mails,
})

/** Finds the adviser with an e-mail; null if nobody has it. Tells a lender no more than that it cannot be. */
async function findAdviser(trx: Trx, lender: User, isOwn: boolean, email: string) {
  const found = await findAccount(trx, email)
  if (!found) return null
  if (found.id === lender.id)
    throw invalid({
      email: [isOwn ? 'Det er din egen e-mail. Skriv den andens.' : 'Det er investorens egen e-mail.'],
    })
  if (!isLentTo(found.role) || found.deactivated_at)
    throw invalid({
      email: [
        isOwn
          ? 'Den e-mail kan ikke få adgang. Kontakt kontoret, hvis den er skrevet rigtigt.'
          : 'Personen er deaktiveret eller ikke rådgiver og kan ikke få adgang.',
      ],
    })
  const { rows } = await sql`
    select from lendings where lender_id = ${lender.id} and adviser_id = ${found.id} and ${IS_LENT_NOW}`.execute(
    trx,
  )
  if (rows.length > 0)
    throw invalid({ email: [`${found.name} har allerede adgang. Ret den i listen i stedet.`] })
  return found
}

/** Bounds how many people have access at once, and how many invitations one person can cause. */
async function refuseMore(trx: Trx, lenderId: number, mayTry: boolean): Promise<void> {
  const { rows } = await sql<{ now: number; lately: number }>`
    select count(*) filter (where ${IS_LENT_NOW})::integer as now,
      count(*) filter (where created_at > now() - interval '1 day')::integer as lately
    from lendings where lender_id = ${lenderId}`.execute(trx)
  const { now, lately } = rows[0]!
  if (now >= MOST_LENDINGS)
    throw invalid({
      email: [
        `Højst ${MOST_LENDINGS} personer kan have adgang på en gang. Tag en anden adgang tilbage først.`,
      ],
    })
  if (!mayTry || lately >= MOST_LENDINGS)
    throw invalid({
      email: ['Der er prøvet for mange gange det sidste døgn. Prøv igen i morgen.'],
    })
}

/** Locks a lending that holds now. */
async function lockLending(trx: Trx, lenderId: number, id: number): Promise<Terms & { adviser: User }> {
  const { rows } = await sql<Terms & { adviser: User }>`
    select lendings.is_everything, lendings.folder_names, lendings.with_own_files, lendings.gets_mails, lendings.until,
      json_build_object('id', adviser.id, 'name', adviser.name, 'email', adviser.email, 'role', adviser.role) as adviser
    from lendings join users as adviser on adviser.id = lendings.adviser_id
    where lendings.id = ${id} and lendings.lender_id = ${lenderId} and ${IS_LENT_NOW}
    for update of lendings`.execute(trx)
  if (!rows[0]) throw notFound(NO_LENDING)
  return rows[0]
}

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment))

/** If somebody else has changed the same field since the form was opened, refuses with both values. */
export const changeLending = transactional(
  async (
    trx: Trx,
    sender: Sender,
    actor: Actor,
    lenderId: number,
    id: number,
    sent: Terms,
    edit: Edit | null,
  ): Promise<void> => {
    const lender = await lockLender(trx, actor, lenderId)
    const { adviser, until, ...before } = await lockLending(trx, lenderId, id)
    const words = lendingWords(sender.config.timeZone)
    const settled = settle(edit, words, lendingValues(sent), lendingValues({ ...before, until }))
    const terms = { ...settled.scope, gets_mails: settled.gets_mails, until: dateOf(settled.until) }
    const after = { ...termsOf(terms), until: terms.until }
    const same = JSON.stringify({ ...termsOf(before), until }) === JSON.stringify(after)
    if (same) return
    await trx.updateTable('lendings').set(after).where('id', '=', id).execute()
    await addLogEntry(trx, actor, 'access-changed', { userId: adviser.id, forUserId: lenderId })
    // The mails that wait tell of what holds when they leave.
    if (await areMailsWaiting(trx, { lending: id })) return
    await tellLender(trx, sender, actor, lender, adviser, 'changed', terms)
  },
)

/** Takes access back at once. Sends no mail about access that the office gave a moment ago and nobody could use. */
export const takeBack = transactional(
  async (trx: Trx, sender: Sender, actor: Actor, lenderId: number, id: number): Promise<void> => {
    const lender = await lockLender(trx, actor, lenderId, { mustBeActive: false })
    const { adviser, ...terms } = await lockLending(trx, lenderId, id)
    await endLendings(trx, sql`id = ${id}`)
    await addLogEntry(trx, actor, 'access-taken-back', { userId: adviser.id, forUserId: lenderId })
    const untold = await regretMails(trx, actor, { lending: id })
    if (untold > 0 && !(await hasWayIn(trx, adviser.id))) return
    await tellLender(trx, sender, actor, lender, adviser, 'taken-back', terms)
  },
)

async function endLendings(trx: Trx, which: RawBuilder<unknown>): Promise<void> {
  await sql`update lendings set ended_at = now() where ended_at is null and ${which}`.execute(trx)
}
