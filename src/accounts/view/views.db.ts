import { sql } from 'kysely'
import { signedOutText } from '../../base/signed-out.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { isAdministrator } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { invalid, notFound, Refusal } from '../../server/http/errors.ts'
import { lockPeople } from '../users/lock-people.db.ts'
import type { Ticket } from '../session/sessions.db.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'

/** Lets an administrator see Ringbind as another person, beside their own session. Returns the secret for the cookie. */
export const startView = transactional(
  async (trx: Trx, actor: Actor, session: string, userId: number): Promise<string> => {
    await lockPeople(trx, actor)
    const person = await trx
      .selectFrom('users')
      .select(['role', 'deactivated_at'])
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirst()
    if (!person) throw notFound('Personen findes ikke.')
    if (person.deactivated_at) throw invalid({ view: ['Personen er deaktiveret og kan ikke se noget.'] })
    if (isAdministrator(person.role))
      throw invalid({ view: ['Du kan ikke se Ringbind som en administrator.'] })
    const own = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('hash', '=', hashOfSecret(session))
      .executeTakeFirst()
    if (!own || own.user_id !== actor.userId) throw new Refusal(401, signedOutText())
    // An expired view.
    await trx.deleteFrom('views').where('session_id', '=', own.id).execute()
    const token = newSecret()
    await trx
      .insertInto('views')
      .values({ hash: hashOfSecret(token), session_id: own.id, viewer_id: own.user_id, user_id: userId })
      .execute()
    await addLogEntry(trx, actor, 'view-started', { userId })
    return token
  },
)

/** Ends a view. Only its own session can. */
export async function endView(db: Database, { session, view }: Ticket): Promise<void> {
  if (view === null) return
  await db
    .deleteFrom('views')
    .where('hash', '=', hashOfSecret(view))
    .where('session_id', '=', (where) =>
      where.selectFrom('sessions').select('id').where('hash', '=', hashOfSecret(session)),
    )
    .execute()
}

/** Ends views whose time is over. */
export async function purgeViews(db: Database): Promise<void> {
  await db
    .deleteFrom('views')
    .where('started_at', '<', sql<Date>`now() - interval '30 minutes'`)
    .execute()
}
