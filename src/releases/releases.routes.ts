import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type Gate, type StoredAct } from '../access/gate.ts'
import { visitOf } from '../access/visit.routes.ts'
import { shortDateTime } from '../base/time/dates.ts'
import { BYTE_ORDER_MARK, csvLine } from '../log/csv.ts'
import { invalid } from '../server/http/errors.ts'
import { requireFreshProof } from '../server/http/fresh-proof.ts'
import { editIn } from '../server/edits.ts'
import { idIn } from '../server/http/ids.ts'
import { pageQueryOf } from '../server/http/list-query.ts'
import { userOf } from '../server/http/permit.ts'
import { listIn } from '../server/http/program-call.ts'
import { submit } from '../server/http/forms/submit.ts'
import { id, validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { LIST_RELEASES } from './release-calls.server.ts'
import { addHeld } from './held/held.routes.ts'
import { listHeld } from './held/list-held.db.ts'
import { addNaming } from './steps/name.routes.ts'
import { addApproval } from './steps/approval.routes.ts'
import { listAskedActs } from './approval/asked-acts.db.ts'
import { addAskedActs } from './approval/asked-acts.routes.ts'
import { UNDO_RECALL_ACT } from './steps/release-acts.server.ts'
import { findReach } from './release/reach.db.ts'
import { listOpenings } from './release/openings.db.ts'
import { checkRelease, listReleases } from './release/release-list.db.ts'
import { addReleasePeople } from './release-people.routes.ts'
import { readPublishing } from './release/release.ts'
import { addReleasePage } from './show-release.routes.ts'
import { addReleaseMail } from './mail/release-mail.routes.ts'
import {
  holdRelease,
  planRelease,
  publishRelease,
  recallRelease,
  regretReleaseMails,
  remindOf,
} from './steps/releases.db.ts'
import { discardRelease, regretRelease } from './steps/discard.db.ts'

type Address = { Params: { release: string } }
type ReleaseRequest = FastifyRequest<Address>

/** Which files the page showed. Who publishes a colleague's approves exactly them. */
const papersIn = ({ body }: ReleaseRequest) => validate(Shown, body ?? {}).papers
const Shown = z.object({ papers: z.string('Genindlæs siden, og prøv igen.').max(40).optional() })

const MOST_FOLDERS = 3000
const Places = z.object({
  folders: z.array(id, { error: 'Mapperne kan ikke læses.' }).max(MOST_FOLDERS, 'Der er for mange mapper.'),
  users: z.array(id, { error: 'Personerne kan ikke læses.' }).max(MOST_FOLDERS, 'Der er for mange personer.'),
})

const Time = z.object({
  publish_day: z.string({ error: 'Vælg en dato.' }).max(40, 'Skriv datoen som dd/mm/åååå.').default(''),
  publish_time: z
    .string({ error: 'Skriv klokkeslættet som 09.00.' })
    .max(10, 'Skriv klokkeslættet som 09.00.')
    .default(''),
})

const MOST_OPENINGS = 1_000_000

/** Adds the list of releases, the page of each, and what can be done with it. */
export function addReleases(
  app: FastifyInstance,
  parts: Parts,
  gate: Gate,
  gatedActs: readonly StoredAct[],
): void {
  const { db, jobs, config } = parts
  const { timeZone } = config
  const see = { config: { right: 'seeReleases' } } as const
  const change = { config: { right: 'changeFiles' } } as const

  const list = { config: { ...see.config, program: LIST_RELEASES } } as const
  app.get(urls.listReleases, list, (request) => listReleases(db, listIn(request, LIST_RELEASES)))
  app.get(urls.releases, see, async (request, reply) => {
    const query = pageQueryOf(request, [])
    const held = await listHeld(db, userOf(request), 'all')
    const asked = await listAskedActs(db, userOf(request))
    return reply.page('releases', { query, page: await listReleases(db, query), held, asked }, 'Udsendelser')
  })

  const showAgain = addReleasePage(app, parts)
  addReleasePeople(app, parts)
  addHeld(app, parts)
  addAskedActs(app, parts, gate, gatedActs)

  addOpenings(app, parts)

  app.post(urls.findReach, change, (request) => {
    const { folders, users } = validate(Places, request.body)
    return findReach(db, folders, users, config.smtpUrl !== null)
  })

  const acts = {
    publish: (request: ReleaseRequest, release: number) =>
      publishRelease(db, jobs, visitOf(request), release, papersIn(request)),
    hold: (request: ReleaseRequest, release: number) => holdRelease(db, visitOf(request), release),
    discard: (request: ReleaseRequest, release: number) => discardRelease(db, visitOf(request), release),
    regret: (request: ReleaseRequest, release: number) => regretRelease(db, visitOf(request), release),
    remind: (request: ReleaseRequest, release: number) => remindOf(db, visitOf(request), release),
    'regret-mails': (request: ReleaseRequest, release: number) =>
      regretReleaseMails(db, visitOf(request), release),
    recall: (request: ReleaseRequest, release: number) => {
      requireFreshProof(request)
      return recallRelease(db, visitOf(request), release)
    },
    'undo-recall': async (request: ReleaseRequest, release: number) =>
      (await gate.carryOut(visitOf(request), UNDO_RECALL_ACT, { release })).asked,
  }
  for (const [act, work] of Object.entries(acts))
    app.post<Address>(urls.releaseAct(':release', act), change, (request, reply) =>
      submit(request, reply, async () => {
        const release = idIn(request.params.release)
        const asked = await work(request, release)
        return asked ? redirectToWaiting(asked) : urls.release(release)
      }),
    )
  addReleaseMail(app, parts, showAgain)
  addNaming(app, parts, (request, reply, refused) => showAgain(request, reply, { ...refused, form: 'name' }))
  addApproval(app, parts, (request, reply, refused) =>
    showAgain(request, reply, { ...refused, form: 'reject' }),
  )
  const openedIn = (request: ReleaseRequest) => ({
    edit: editIn(request.body),
    timeZone,
    papers: papersIn(request),
  })
  app.post<Address>(urls.releaseAct(':release', 'plan'), change, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const release = idIn(request.params.release)
        const read = readPublishing(
          { publish: 'later', ...validate(Time, request.body) },
          new Date(),
          timeZone,
        )
        if ('faults' in read) throw invalid(read.faults)
        if (read.publishing.way === 'later')
          await planRelease(db, jobs, visitOf(request), release, read.publishing.at, openedIn(request))
        return urls.release(release)
      },
      (refused) => showAgain(request, reply, { ...refused, form: 'plan' }),
    ),
  )
}

/** Adds the list of who opened what, as a sheet. */
function addOpenings(app: FastifyInstance, { db, config: { timeZone } }: Parts): void {
  const see = { config: { right: 'seeReleases' } } as const
  app.get<Address>(urls.releaseOpenings(':release'), see, async (request, reply) => {
    const release = idIn(request.params.release)
    await checkRelease(db, release)
    const openings = await listOpenings(db, release, MOST_OPENINGS)
    void reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="udsendelse-${release}-aabninger.csv"`)
    function* lines(): Generator<string> {
      yield BYTE_ORDER_MARK + csvLine(['Tidspunkt', 'Person', 'Fil', 'Hvad'])
      for (const { at, name, file, is_download: isDownload } of openings)
        yield csvLine([
          shortDateTime(at, timeZone, { inSheet: true }),
          name,
          file,
          isDownload ? 'Hentet' : 'Åbnet',
        ])
    }
    return reply.send(Readable.from(lines()))
  })
}
