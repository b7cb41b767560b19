import { sql } from 'kysely'
import { HAS_TYPED_NAME } from '../../accounts/users/users.db.ts'
import { IS_INVITED } from '../../accounts/users/invited.db.ts'
import type { MailRate } from '../../accounts/users/mail-rate.ts'
import { addLinkTokenFor, LINK_HOURS, removeLinkToken } from '../../accounts/links/link-tokens.db.ts'
import {
  GETS_MAILS_ABOUT,
  getsMailsAbout,
  JOIN_OUTSIDE_READERS,
  OUTSIDE_ROLES,
} from '../../access/outside-readers.db.ts'
import { lendersWithMails } from '../../access/lenders.db.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import { IS_OF_SHOWN } from '../../projects/news/news.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { queue } from '../../jobs.ts'
import type { Role } from '../../rights.ts'
import { alone } from '../../server/database/alone.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { isJobUnderWay } from '../../server/database/unfinished-jobs.db.ts'
import { claimEach } from '../../server/work/claim.db.ts'
import type { Attempt, JobId, Jobs } from '../../server/work/jobs.ts'
import type { MailTools } from '../../server/mail.ts'
import { mailReason } from '../../server/mail-reason.ts'
import { urls } from '../../urls.ts'
import { HELD_PAPERS } from '../held/held-papers.db.ts'
import { handOver, isTurn, queueMailsTo } from '../mailings/mail-queue.db.ts'
import { latestTurns, type Turns } from '../mailings/mail-turns.ts'
import {
  MOST_NAMED,
  namedFile,
  papersLink,
  releaseMail,
  type MailContent,
  type NamedRow,
} from './release-mail.ts'

/** Why somebody waits no longer for a mail about a release. */
type Outcome = 'sent' | 'nothing' | 'declined' | 'failed'

/** The job's id is the mail's Message-ID. */
const TELL_PERSON = queue<{ userId: number }>('tell-person')

/** Finds the people of releases whose time for regret has passed, and queues a mail to each whose turn it is. */
export async function announceReleases(
  db: Database,
  jobs: Jobs,
  { regretMinutes, timeZone }: { regretMinutes: number; timeZone: string },
): Promise<void> {
  await announceEach(db, regretMinutes)
  const turns = latestTurns(new Date(), timeZone)
  // Several instances take turns: their rows overlap.
  await alone(db, 'mails about releases', async () => {
    while (await queueMails(db, jobs, turns));
  })
}

/** Condition on `releases`: some of its papers are not read or scanned yet, and are shown when they are. */
const IS_READ_STILL = sql<boolean>`exists (
  select from ${HELD_PAPERS}
  where held.submission_id = releases.submission_id and held.cause in ('reading', 'scan') and held.deleted_at is null)`

/**
 * Finds everybody outside the office who sees some of the files of a release now. A release waits for those that were
 * published since, so that one mail covers all of them, but no longer than twice the time for undoing; and until all
 * its papers are read.
 */
async function announceEach(db: Database, regretMinutes: number): Promise<void> {
  const regret = sql`make_interval(mins => ${regretMinutes}::integer)`
  const rows = sql<{ id: number; submission_id: number }>`
    select id, submission_id from releases
    where state = 'published' and announced_at is null and published_at <= now() - ${regret}
      and (published_at <= now() - 2 * ${regret} or not exists (
        select from releases as later
        where later.state = 'published' and later.announced_at is null and later.published_at > now() - ${regret}))
      and not ${IS_READ_STILL}
    order by published_at, id`
  await claimEach(db, { rows, lock: 'no key update' }, async (trx, release) => {
    await sql`
      insert into release_people (release_id, user_id, outcome)
      select ${release.id}::bigint, users.id, case when not (bool_or(${GETS_MAILS_ABOUT}) and bool_and(${IS_INVITED})) then 'declined' end
      from folders ${JOIN_OUTSIDE_READERS}
      where folders.id in (
        select folder_id from files
        where submission_id = ${release.submission_id} and deleted_at is null and not is_held_back)
      group by users.id
      on conflict do nothing`.execute(trx)
    await trx
      .updateTable('releases')
      .set({ announced_at: sql<Date>`now()` })
      .where('id', '=', release.id)
      .execute()
  })
}

async function declineMails(trx: Trx): Promise<void> {
  await sql`
    update release_people set outcome = 'declined' from users, releases
    where users.id = release_people.user_id and users.mail_rate = 'never'
      and releases.id = release_people.release_id and not releases.is_for_everybody
      and outcome is null and mail_id is null`.execute(trx)
}

/** Queues a mail to each person who is due, about everything that they wait for. */
async function queueMails(db: Database, jobs: Jobs, turns: Turns): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await declineMails(trx)
    return queueMailsTo(trx, jobs, TELL_PERSON, {
      people: sql`release_people`,
      things: sql`releases`,
      isWaiting: sql<boolean>`things.id = people.release_id and things.state = 'published' and people.outcome is null`,
      isDue: sql<boolean>`(things.is_for_everybody or ${isTurn(turns)})`,
    })
  })
}

/** Starts sending the queued mails about releases. */
export async function tellPeople(jobs: Jobs, tools: MailTools): Promise<void> {
  const { db } = tools
  await jobs.work(TELL_PERSON, async ({ userId }, id, attempt) => {
    const told = await tellPerson(tools, userId, id, attempt).catch(
      async (error: unknown): Promise<MailResult> => {
        const reason = mailReason(error)
        if (attempt.isLast) return { outcome: 'failed', releases: null, reason }
        await sql`
        update release_people set reason = ${reason} where mail_id = ${id} and outcome is null`.execute(db)
        throw error
      },
    )
    await sql`
      update release_people set outcome = told.outcome,
        told_at = case told.outcome when 'sent' then now() else told_at end,
        reason = case told.outcome when 'failed' then ${told.reason ?? null} end
      from (
        select release_id, case when ${told.releases}::bigint[] is null or release_id = any (${told.releases}::bigint[])
          then ${told.outcome} else 'nothing' end as outcome
        from release_people where mail_id = ${id} and outcome is null
      ) as told
      where release_people.release_id = told.release_id and mail_id = ${id} and release_people.outcome is null`.execute(
      db,
    )
  })
}

/** Ends the wait for mails whose job was cut off in its last try. Nobody else would say that they failed. */
export async function endLostMails(db: Database): Promise<void> {
  await sql`
    update release_people set outcome = 'failed', reason = coalesce(reason, ${CUT_OFF})
    where outcome is null and mail_id is not null
      and not ${isJobUnderWay(TELL_PERSON.name, sql<string>`release_people.mail_id`)}`.execute(db)
}

export const CUT_OFF = 'Ringbind blev afbrudt, mens mailen blev sendt'

/** The outcome of a mail, for the releases that it named; null means all that it was made for. */
type MailResult = { outcome: Outcome; releases: number[] | null; reason?: string }

/** Asks now what the person may see, and tells them about it. */
async function tellPerson(
  tools: MailTools,
  userId: number,
  id: JobId,
  attempt: Attempt,
): Promise<MailResult> {
  const { db, appUrl } = tools
  const person = await findPerson(db, userId)
  if (!person) return { outcome: 'nothing', releases: null }
  if (!person.is_invited) return { outcome: 'declined', releases: null }
  const { papers, releases, ...content } = await listUnmailed(db, person, id)
  if (content.total === 0)
    return { outcome: person.mail_rate === 'never' ? 'declined' : 'nothing', releases: null }
  const token = person.has_way_in
    ? null
    : await addLinkTokenFor(db, 'invitation', person.id, person.email, Infinity)
  if (!person.has_way_in && token === null) throw new Error('The person has changed meanwhile.')
  const link = token ? urls.invitation(token) : papersLink(papers)
  const mail = releaseMail(await findOffice(db), person, content, {
    link: appUrl + link,
    invitationHours: token ? LINK_HOURS.invitation : null,
  })
  const stopUrl = appUrl + tools.stopPath(person.id)
  const handed = await handOver(tools, { ...mail, stopUrl }, id, attempt, async () => {
    if (token) await removeLinkToken(db, token) // nobody received it; the next try makes another
  })
  return { ...handed, releases }
}

type Person = {
  id: number
  name: string
  email: string
  role: Role
  mail_rate: MailRate
  has_way_in: boolean
  is_invited: boolean
}

/** Finds a person who gets mails about releases. Somebody who has joined the office since gets none. */
async function findPerson(db: Database, id: number): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select id, case when ${HAS_TYPED_NAME} then '' else name end as name, email, role, mail_rate, has_way_in(users), ${IS_INVITED} as is_invited
    from users where id = ${id} and deactivated_at is null and role = any (${OUTSIDE_ROLES})`.execute(db)
  return rows[0]
}

type UnmailedContent = MailContent & { papers: number[]; releases: number[] }

/** Lists the files of a mail that the person sees and has not opened. `papers` are the ids of all of them. */
export async function listUnmailed(
  db: Database | Trx,
  person: Pick<Person, 'id' | 'role' | 'mail_rate'>,
  mailId: JobId,
): Promise<UnmailedContent> {
  const { rows } = await sql<
    NamedRow & {
      total: number
      is_reminder: boolean
      is_for_everybody: boolean
      messages: string[]
      releases: number[]
      papers: number[]
    }
  >`
    with seen as materialized (
      select files.id, releases.id as release_id, release_people.is_reminder, releases.is_for_everybody, projects.id as project_id,
        projects.name as project, folders.name as folder, folders.id as folder_id, folders.place, files.name,
        files.version_at > '-infinity' as is_version, files.position, ${lendersWithMails(person)} as clients
      from release_people
      join releases on releases.id = release_people.release_id and releases.state = 'published'
      join files on files.submission_id = releases.submission_id
      join folders on folders.id = files.folder_id
      left join projects on projects.id = folders.project_id
      where release_people.mail_id = ${mailId} and release_people.user_id = ${person.id}
        and release_people.outcome is null and ${isFileSeen(person)} and ${getsMailsAbout(person)}
        and (releases.is_for_everybody or ${person.mail_rate !== 'never'}::boolean)
        and not exists (
          select from file_reads where file_reads.file_id = files.id and file_reads.user_id = ${person.id}
            and ${IS_OF_SHOWN})
    )
    select project_id, project, folder, name, is_version, clients, count(*) over ()::integer as total,
      bool_and(is_reminder) over () as is_reminder, bool_or(is_for_everybody) over () as is_for_everybody,
      array(
        select message from releases where id in (select release_id from seen) and message <> '' order by id
      ) as messages,
      array(select distinct release_id from seen) as releases, array(select id from seen) as papers
    from seen order by project collate danish, place, folder_id, position
    limit ${MOST_NAMED}`.execute(db)
  const [first] = rows
  return {
    files: rows.map(namedFile),
    total: first?.total ?? 0,
    isReminder: first?.is_reminder ?? false,
    isForEverybody: first?.is_for_everybody ?? false,
    messages: first?.messages ?? [],
    releases: first?.releases ?? [],
    papers: first?.papers ?? [],
  }
}
