import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FIRST_PAGE, pageInfo, type Page } from '../base/pagination.ts'
import { idIn } from '../server/http/ids.ts'
import type { Refused } from '../server/http/forms/submit.ts'
import { listQueryOf, pageQueryOf } from '../server/http/list-query.ts'
import { userOf } from '../server/http/permit.ts'
import type { Database } from '../server/database/database.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { readApproval } from './approval/approval.db.ts'
import type { Approval } from './approval/approval.ts'
import { listHeld, submissionOf } from './held/list-held.db.ts'
import { listMailings } from './mailings/mailings.db.ts'
import { previewMail } from './mail/release-preview.db.ts'
import { readRecall } from './mail/tell-openers.db.ts'
import { listReleasePeople, countPeopleOf } from './release-people.db.ts'
import type { ReleasePageProps, ReleasePart } from './release-page.tsx'
import { countOpenings, listOpenings } from './release/openings.db.ts'
import { readRelease } from './release/release-list.db.ts'
import { PAPER_FILTERS } from './release/release-paper.ts'
import {
  isPossible,
  OPENINGS_A_PAGE,
  PERSON_COLUMNS,
  PERSON_FILTERS,
  PRINTED_OPENINGS,
  type MailPreview,
  type Opening,
  type Release,
  type ReleaseForm,
} from './release/release.ts'
import { readDoubts } from './summary/doubts.db.ts'
import type { Doubts } from './summary/unusual.ts'
import { eventsOf } from './tabs/events.ts'
import { listReleasePapers } from './tabs/release-papers.db.ts'

type Address = { Params: { release: string }; Querystring: Record<string, unknown> }
type ReleaseRequest = FastifyRequest<{ Params: { release: string } }>

const TABS = ['papers', 'recipients', 'mails', 'history'] as const
type Tab = (typeof TABS)[number]

/** The tab with each form; the others are above all tabs. */
const TAB_OF: Partial<Record<ReleaseForm, Tab>> = { mail: 'mails', openers: 'mails' }

/** Stands for the mail's reader in the preview. */
const EXAMPLE_READER = { name: 'Navn Navnesen', email: '' }

export type ShowAgain = (
  request: ReleaseRequest,
  reply: FastifyReply,
  refused: Refused & { form: ReleaseForm },
) => Promise<FastifyReply>

/** Adds the page of a release, a tab at each address. Returns what shows it again after a form was refused. */
export function addReleasePage(app: FastifyInstance, { db, config }: Parts): ShowAgain {
  const { releaseRegretMinutes: minutes, smtpUrl, appUrl } = config
  const see = { config: { right: 'seeReleases' } } as const

  async function show(
    request: ReleaseRequest,
    reply: FastifyReply,
    tab: Tab,
    refused?: Refused & { form: ReleaseForm },
  ): Promise<FastifyReply> {
    const [user, id] = [userOf(request), idIn(request.params.release)]
    const release = await readRelease(db, id, minutes)
    const [held, doubts, counts, mailings, approval] = [
      await listHeld(db, user, { submission: submissionOf(id) }),
      await readDoubts(db, id),
      await countPeopleOf(db, id),
      await listMailings(db, { release: id }, minutes),
      await readApproval(db, user, id),
    ]
    const props: ReleasePageProps = {
      release,
      part: await readPart(request, tab, { release, approval, doubts }),
      held,
      doubts,
      counts,
      mailings,
      leaving: { minutes, sendsMail: smtpUrl !== null },
      approval,
      now: new Date().toISOString(),
      ...(refused && { refused }),
    }
    return reply.page('release', props, release.name)
  }

  type Found = { release: Release; approval: Approval; doubts: Doubts }

  async function readPart(request: ReleaseRequest, tab: Tab, found: Found): Promise<ReleasePart> {
    const { release, approval, doubts } = found
    if (tab === 'papers') {
      const query = pageQueryOf(request, [], Object.keys(PAPER_FILTERS))
      return { tab, query, papers: await listReleasePapers(db, userOf(request), release.id, query) }
    }
    if (tab === 'recipients') {
      const query = pageQueryOf(request, PERSON_COLUMNS, Object.keys(PERSON_FILTERS))
      return { tab, query, people: await listReleasePeople(db, release.id, query) }
    }
    if (tab === 'mails')
      return {
        tab,
        mail: await preview(release),
        recall: release.state === 'recalled' ? await readRecall(db, release.id) : null,
      }
    const isToPrint = 'print' in (request.query as object)
    const { page } = pageQueryOf(request, [])
    return {
      tab,
      events: eventsOf({ release, approval, accepted: doubts.accepted }),
      openings: await readOpenings(db, release.id, isToPrint ? null : page),
      isToPrint,
    }
  }

  /** Composes the mail with an example name. Returns null once the mails have left. */
  async function preview(release: Release): Promise<MailPreview | null> {
    if (!isPossible('write', release.state) || release.announced_at) return null
    const { subject, text } = await previewMail(db, release.id, release, EXAMPLE_READER, appUrl)
    return { subject, text }
  }

  for (const tab of TABS)
    app.get<Address>(urls.releaseTab(':release', tab), see, (request, reply) => {
      const { filter } = request.query
      const isSorted = Object.keys(request.query).some((name) => name.startsWith('sort['))
      // Its people stood on the page itself before.
      if (
        tab === 'papers' &&
        (isSorted || (typeof filter === 'string' && Object.hasOwn(PERSON_FILTERS, filter)))
      )
        return reply.redirect(
          urls.releaseTab(idIn(request.params.release), 'recipients') +
            request.url.slice(request.url.indexOf('?')),
        )
      return show(request, reply, tab)
    })

  app.get<Address>(urls.listReleasePapers(':release'), see, (request) => {
    const query = listQueryOf(request, [], Object.keys(PAPER_FILTERS))
    return listReleasePapers(db, userOf(request), idIn(request.params.release), query)
  })

  return (request, reply, refused) => show(request, reply, TAB_OF[refused.form] ?? 'papers', refused)
}

/** Reads a page of who opened what; null for all that is printed. */
async function readOpenings(db: Database, release: number, page: number | null): Promise<Page<Opening>> {
  const perPage = page === null ? PRINTED_OPENINGS : OPENINGS_A_PAGE
  const [number, total] = [page ?? FIRST_PAGE, await countOpenings(db, release)]
  const data = await listOpenings(db, release, perPage, (number - FIRST_PAGE) * perPage)
  return { data, meta: pageInfo({ page: number, perPage, total, rows: data.length }) }
}
