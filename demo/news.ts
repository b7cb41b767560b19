import { sql } from 'kysely'
import type { Parts } from '../src/server/parts.ts'
import { makeFile, makeUserFolder } from '../test/make.ts'
import { distributionTo, letterFrom, type LetterKind } from './papers/letters.ts'

/** When people joined, and when they last marked everything as read: older papers are not new. */
const [CAME, SEEN] = ['2024-01-08 09:00Z', '2026-07-15 18:00Z']

const LETTERS: [sender: string, kind: LetterKind][] = [
  ['Søren Kjærgaard', 'proxy'],
  ['Torben Falkenberg', 'question'],
  ['Anne Marie Holm', 'bank'],
  ['Åse Nørregaard', 'address'],
]

/** Papers that were read since, the morning after they came. The other people have read nothing. */
const READ: [reader: string, name: string][] = [
  ['Søren Kjærgaard', 'Kvartalsrapport (1024) Q2 2026.pdf'],
  ['Søren Kjærgaard', 'Budget (1063) 2027.pdf'],
  ['Lone Bjerregaard', 'Kvartalsrapport (1024) Q2 2026.pdf'],
  ['Lone Bjerregaard', 'Budget (1031) 2027.pdf'],
  ['Mads Thorup', 'Fuldmagt til generalforsamling 2026.pdf'],
  ['Kirsten Overgaard', 'Spørgsmål til årsrapporten 2025.pdf'],
]

/** Letters that somebody in the office has taken or finished. The others are new. */
const INBOX: [kind: LetterKind, state: 'taken' | 'done', by: string][] = [
  ['proxy', 'done', 'Mads Thorup'],
  ['question', 'taken', 'Kirsten Overgaard'],
]

/** Makes some papers new to their readers, but not most, and adds papers that investors have sent to the office. */
export async function fillNews({ db, storage }: Parts, people: Map<string, number>): Promise<void> {
  const send = async (name: string, kind: LetterKind | 'distribution') => {
    const id = people.get(name)!
    const person = { name, number: await numberOf(id) }
    const sent = kind !== 'distribution'
    const letter = sent ? letterFrom(person, kind) : distributionTo(person)
    const submissionId = sent ? await submit(id, kind, letter.createdAt) : null
    await makeFile(
      { db, storage },
      await makeUserFolder(db, id),
      {
        ...letter,
        ...(submissionId && { uploadedBy: id, fromInvestor: true, submissionId }),
      },
      'first',
    )
  }
  const submit = async (user: number, key: string, at: Date) => {
    const { rows } = await sql<{ id: number }>`
      insert into submissions (user_id, key, content, form, created_at)
      values (${user}, ${`demo-${key}`}, '', '/my-files', ${at}) returning id`.execute(db)
    return rows[0]!.id
  }
  const numberOf = async (user: number) =>
    (
      await db
        .selectFrom('user_numbers')
        .select('number')
        .where('user_id', '=', user)
        .executeTakeFirstOrThrow()
    ).number
  for (const [name, kind] of LETTERS) await send(name, kind)
  await send('Søren Kjærgaard', 'distribution')
  await sql`update users set created_at = ${CAME}, files_seen_at = ${SEEN}`.execute(db)
  await sql`update project_members set since = ${CAME}, seen_at = ${SEEN}`.execute(db)
  await sql`update inbox set announced_at = now()`.execute(db)
  for (const [kind, state, name] of INBOX)
    await sql`
      with changed as (
        update inbox set state = ${state}, changed_by = ${people.get(name)!},
          changed_at = least(now(), date_trunc('day', created_at) + interval '1 day 10 hours')
        from submissions where submissions.id = inbox.submission_id and key = ${`demo-${kind}`}
        returning submission_id, changed_at, submissions.user_id
      )
      insert into log (at, act, user_id, subject_user_id, detail)
      select changed_at, ${state === 'done' ? 'inbox-finished' : 'inbox-taken'}, ${people.get(name)!}, user_id, submission_id
      from changed`.execute(db)
  for (const [name, file] of READ)
    await sql`
      insert into file_reads (user_id, file_id, at)
      select ${people.get(name)!}, id, greatest(created_at, least(now(),
        date_trunc('day', created_at) + make_interval(days => 1, mins => ${8 * 60 + 13 * people.get(name)!}::integer)))
      from files where name = ${file}`.execute(db)
}
