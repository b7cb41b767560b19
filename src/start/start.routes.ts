import type { FastifyInstance } from 'fastify'
import { listLenders } from '../access/lenders.db.ts'
import type { Parts } from '../server/parts.ts'
import { EVERYTHING } from '../base/list-query.ts'
import { greetedName } from '../base/person-name.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import { countOwnNews, countProjectNews, listProjectsWithNews } from '../projects/news/news.db.ts'
import { listWaiting } from '../releases/approval/approval.db.ts'
import { listAskedActs } from '../releases/approval/asked-acts.db.ts'
import { listUnmailedReleases } from '../releases/release/release-list.db.ts'
import type { MailingKind } from '../releases/mailings/mailing.ts'
import { listWaitingMailings } from '../releases/mailings/mailings.db.ts'
import { isOffice, may, type Role } from '../rights.ts'
import { userOf } from '../server/http/permit.ts'
import { urls } from '../urls.ts'
import { dayOf } from '../base/time/dates.ts'
import { readOfficeDay } from './office/office-day.db.ts'
import { findNewOffice } from './first-steps.db.ts'
import { listFirstSteps } from './first-steps.ts'
import { listNews, listReceived } from './start.db.ts'

/** How many rows each section shows, at most. The rest is one click away. */
const MOST_PROJECTS = 8
const MOST_NEWS = 8
const MOST_NEW = 25
const MOST_WAITING = 5

export function addStartPage(app: FastifyInstance, { db, config }: Parts): void {
  app.get(urls.start, { config: { right: 'enter' } }, async (request, reply) => {
    const user = userOf(request)
    const newest = { column: 'updated_at', direction: 'desc' } as const
    const [inProjects, ofOwn] = await Promise.all([countProjectNews(db, user), countOwnNews(db, user)])
    const [projects, files, lenders, received, notices, waiting, asked, untold, mailings, day, newOffice] =
      await Promise.all([
        listProjectsWithNews(db, user, { ...EVERYTHING, sort: newest }, inProjects),
        listNews(db, user, MOST_NEWS),
        may(user.role, 'seeLenders') ? listLenders(db, user) : null,
        may(user.role, 'seeInbox') ? listReceived(db, user, { most: MOST_NEWS, mostNew: MOST_NEW }) : null,
        isOffice(user.role) ? listNotices(db, user.role) : [],
        may(user.role, 'seeReleases') ? listWaiting(db, user, MOST_WAITING) : null,
        may(user.role, 'changeFiles') ? listAskedActs(db, user, { isOwnToo: false }) : null,
        may(user.role, 'changeFiles') ? listUnmailedReleases(db, config.releaseRegretMinutes) : [],
        listWaitingMailings(db, mailingsOf(user.role), config.releaseRegretMinutes),
        isOffice(user.role) ? readOfficeDay(db, user, dayOf(new Date(), config.timeZone)) : null,
        may(user.role, 'editOffice') ? findNewOffice(db, user) : null,
      ])
    return reply.page(
      'start',
      {
        greeted: greetedName(user.name),
        now: new Date().toISOString(),
        projects: projects.data.slice(0, MOST_PROJECTS),
        total: projects.meta.total,
        news: may(user.role, 'haveNews')
          ? {
              files,
              total: [...inProjects.counts.values(), ofOwn.count].reduce((sum, count) => sum + count, 0),
              until: earliest(inProjects.until, ofOwn.until),
            }
          : null,
        lenders,
        received,
        notices,
        waiting,
        asked,
        untold,
        mailings,
        firstSteps: newOffice && listFirstSteps(newOffice, config.smtpUrl !== null),
        day,
      },
      'Forside',
    )
  })
}

/** The kinds of mails to several people that a role can regret. */
function mailingsOf(role: Role): MailingKind[] {
  return [
    ...(may(role, 'changeFiles') ? (['reminder', 'again', 'recall'] as const) : []),
    ...(may(role, 'editUsers') ? (['invited-people'] as const) : []),
    ...(may(role, 'moveIn') ? (['invitations'] as const) : []),
  ]
}

/** Returns the earlier of two times, or the only one. */
function earliest(a: string | null, b: string | null): string | null {
  return a !== null && b !== null && b < a ? b : (a ?? b)
}
