import type { Visit } from '../../access/reader.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { settle, type Edit } from '../../server/edits.ts'
import { conflict } from '../../server/http/errors.ts'
import { change, lockRelease } from '../approval/locked-release.db.ts'
import { MAIL_WORDS } from '../release/release-edit.ts'
import type { ReleaseMail } from '../release/release.ts'

/** Changes what the mail about a release says, until it is sent. */
export const writeReleaseMail = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    sent: ReleaseMail,
    edit: Edit | null,
  ): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'write')
    if (release.announced_at) throw conflict('Mailen er allerede sendt.')
    const now = await trx
      .selectFrom('releases')
      .select(['message', 'is_for_everybody'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const mail = settle(edit, MAIL_WORDS, sent, now)
    await change(trx, release, mail)
    await addLogEntry(trx, actor, 'release-mail-changed', { detail: String(id) })
  },
)
