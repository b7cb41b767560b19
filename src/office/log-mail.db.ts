import { findHead, sealEntries } from '../log/chain/seal.db.ts'
import { formatHead } from '../log/chain/link.server.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import type { Jobs } from '../server/work/jobs.ts'
import { sendMail } from '../server/mail.ts'
import { letter } from './letter.ts'
import { findOffice } from './office.db.ts'

/** Mails the end of the log's chain. Whoever keeps the mail can show later that nothing before it was changed. */
export async function mailLogHead(db: Database, jobs: Jobs, to: string): Promise<void> {
  await sealEntries(db)
  await queueMail(db, jobs, to)
}

const queueMail = transactional(async (trx: Trx, jobs: Jobs, to: string): Promise<void> => {
  const head = await findHead(trx)
  if (!head) return
  const mail = letter(await findOffice(trx), {
    to: { name: 'arkivar', email: to },
    subject: 'Kontrolkode for loggen',
    link: null,
    action: '',
    before: [
      `Ringbinds log har nu ${head.position.toLocaleString('da-DK')} linjer. Deres kontrolkode er:`,
      formatHead(head),
    ],
    after: 'Gem mailen. Koden viser, om linjer siden er ændret eller fjernet (npm run verify).',
  })
  await sendMail(trx, jobs, mail)
})
