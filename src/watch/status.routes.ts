import type { FastifyInstance } from 'fastify'
import { spokenTime } from '../base/time/dates.ts'
import type { NoticeKind } from '../log/notices/notice.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import { userOf } from '../server/http/permit.ts'
import type { Parts } from '../server/parts.ts'
import { startedAt } from '../server/process/started-at.ts'
import { urls } from '../urls.ts'
import { findTroubles } from './attention.ts'
import { groupFacts } from './fact-words.ts'
import { FactFinder } from './facts.db.ts'
import { pastTitle, wordsOf } from './trouble-words.ts'
import { listEndedTroubles } from './troubles.db.ts'

/** Troubles say the same with more words. */
const SAID_BY_TROUBLES = new Set<NoticeKind>(['disk-low', 'copies-failing', 'certificate-ending'])

/** Adds the page where administrators see how the installation is doing. */
export function addStatus(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  const { timeZone } = config
  const finder = new FactFinder({
    ...parts,
    startedAt: startedAt(),
    isDemo: parts.demo,
    complain: (about) => app.log.warn(about, 'a fact was not found out'),
  })

  app.get(urls.status, { config: { right: 'seeStatus' } }, async (request, reply) => {
    const [facts, notices, ended] = await Promise.all([
      finder.find(),
      listNotices(db, userOf(request).role),
      listEndedTroubles(db),
    ])
    const when = { now: facts.now, timeZone }
    const troubles = findTroubles(facts)
    const areMailsFailing = troubles.some(({ kind }) => kind === 'mails-failing')
    const props = {
      troubles: troubles.map((trouble) => wordsOf(trouble, when)),
      notices: notices
        .filter(({ kind }) => !SAID_BY_TROUBLES.has(kind) && !(kind === 'mail-failing' && areMailsFailing))
        .map(({ text }) => text),
      ended: ended.map(({ trouble, since, endedAt }) => ({
        title: pastTitle(trouble),
        says: `Fra ${spokenTime(since, timeZone)} til ${endedAt ? spokenTime(endedAt, timeZone) : 'nu'}`,
      })),
      groups: groupFacts(facts, timeZone, config.smtpUrl && new URL(config.smtpUrl).host),
    }
    return reply.page('status', props, 'Status')
  })
}
