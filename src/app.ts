import { leadToAsked } from './access/gate.ts'
import { visitOf } from './access/visit.routes.ts'
import { isAdministrator } from './rights.ts'
import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import { fastify, LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { knownPerson } from './accounts/sign-in/known-device.routes.ts'
import { buttonsOf } from './accounts/oidc/provider.ts'
import { addProviders } from './accounts/oidc/oidc.routes.ts'
import { addPasswords } from './accounts/profile/password.routes.ts'
import { addSignInRules } from './accounts/factor/demands.routes.ts'
import { addFactors } from './accounts/factor/factor.routes.ts'
import { addSecondStep } from './accounts/factor/second-step.routes.ts'
import { addProfile } from './accounts/profile/profile.routes.ts'
import { addProving } from './accounts/proof/prove.routes.ts'
import { addStopMails } from './accounts/profile/stop-mails.routes.ts'
import { minutesUntil } from './base/dates.ts'
import { UNATTENDED } from './base/unattended.ts'
import { expiryOf } from './accounts/session-expiry.ts'
import { sessionToken, ticketOf, viewToken } from './accounts/sign-in/session-cookie.routes.ts'
import { guardView } from './accounts/view/guard-view.routes.ts'
import { addViewEnd } from './accounts/view/view.routes.ts'
import { findSessionUser } from './accounts/sessions.db.ts'
import { addTokens } from './accounts/tokens/tokens.routes.ts'
import { bearerFinder } from './accounts/tokens/find-bearer.routes.ts'
import { callsPerMinute } from './accounts/tokens/token.ts'
import { addSetup } from './accounts/sign-in/setup.routes.ts'
import { addSignIn } from './accounts/sign-in/sign-in.routes.ts'
import { addTheme } from './accounts/profile/theme.routes.ts'
import { ROLE_NAMES } from './accounts/user.ts'
import { addFileChanges } from './files/change/change.routes.ts'
import { addManyChanges } from './files/change/many.routes.ts'
import { addContent } from './files/content/content.routes.ts'
import { addFiles } from './files/list/files.routes.ts'
import { addLook } from './files/look/look.routes.ts'
import { addMailedPapers } from './files/mailed/papers.routes.ts'
import { addTrash } from './files/trash/trash.routes.ts'
import { addUndo } from './files/undo/undo.routes.ts'
import { archiveSender } from './files/zip/archive-sender.routes.ts'
import { addZip } from './files/zip/zip.routes.ts'
import { addOffice } from './office/office.routes.ts'
import { findOffice } from './office/office.db.ts'
import { findReadingState } from './reading/reading-state.db.ts'
import { OfficeSign } from './office/office-sign.server.ts'
import { addGallery } from './gallery/gallery.routes.ts'
import { addUserChanges } from './people/edit-user.routes.ts'
import { addLending } from './people/lend/lend.routes.ts'
import { addReaders } from './people/readers/readers.routes.ts'
import { addUserAccess } from './people/user-access.routes.ts'
import { tellOfLowDisk } from './log/disk-notice.db.ts'
import { addInbox } from './inbox/inbox.routes.ts'
import { addIntakeContent } from './intake/intake-content.routes.ts'
import { addChanges } from './live/changes.routes.ts'
import { addLog } from './log/log.routes.ts'
import { addPersonImage } from './people/person-image.routes.ts'
import { raiseNotice } from './log/notices.db.ts'
import { addWaitLog } from './log/waits.routes.ts'
import { addFirstSteps } from './start/first-steps.routes.ts'
import { addStartPage } from './start/start.routes.ts'
import { addUsers } from './people/users.routes.ts'
import { addFolders } from './projects/folders.routes.ts'
import { addNews } from './projects/news.routes.ts'
import { addProjects } from './projects/projects.routes.ts'
import { findFileReach, findProjectRelease } from './releases/figures.db.ts'
import { addReleases } from './releases/releases.routes.ts'
import { openGate } from './releases/approval/gate.db.ts'
import { APPROVAL_ACT } from './releases/approval/release-acts.server.ts'
import { GATED_ACTS } from './gated-acts.ts'
import { addHooks } from './programs/hooks/hooks.routes.ts'
import { addReport } from './report/report.routes.ts'
import { addOverview } from './year/overview/overview.routes.ts'
import { addImport } from './moving/sheet/import.routes.ts'
import { ownWords } from './search/own-words.routes.ts'
import { addSavedSearches } from './search/saved-searches.routes.ts'
import { addSearch } from './search/search.routes.ts'
import { addYearPackages } from './year/package/packages.routes.ts'
import { addDirectUploads } from './uploads/transport/direct.routes.ts'
import { addPeriods } from './uploads/names/period.routes.ts'
import { addRenaming } from './uploads/names/rename.routes.ts'
import { addResolving } from './uploads/names/resolve.routes.ts'
import { addKeptPiles } from './uploads/kept/kept.routes.ts'
import { addPapers } from './uploads/papers/papers.routes.ts'
import { addTemporaryUploads } from './uploads/transport/temporary.routes.ts'
import { addTus } from './uploads/transport/tus.routes.ts'
import { listVersions } from './files/versions/versions.db.ts'
import { addVersions } from './uploads/versions/versions.routes.ts'
import { addPrograms } from './programs/programs.routes.ts'
import { addFiling } from './uploads/filing/filing.routes.ts'
import { addUploads } from './uploads/form/upload.routes.ts'
import { addSplitting } from './uploads/split/split.routes.ts'
import { isTrusted, networkOf } from './server/http/address.ts'
import { addCsrfProtection } from './server/http/csrf.ts'
import { addErrorHandler, answerMalformed, answerUnroutable } from './server/http/error-handler.ts'
import { Refusal } from './server/http/errors.ts'
import { boundConnections } from './server/http/connections.ts'
import { addFairShares, refuseEncodedBodies } from './server/http/fair-share.ts'
import { addFormBodies, FORM_BYTES } from './server/http/form-body.ts'
import { PATIENCE } from './server/process/patience.ts'
import { addGracefulClose } from './server/http/around/graceful-close.ts'
import { addFaults } from './server/http/fault.routes.ts'
import { addHealth } from './server/http/health.routes.ts'
import { addRequestLog, newRequestId } from './server/http/around/request-log.ts'
import { logOptions } from './server/process/logger.ts'
import { addPermits, type SignedIn } from './server/http/permit.ts'
import { addRenderer } from './server/http/render.ts'
import { addSecurityHeaders } from './server/http/around/security-headers.ts'
import { keepHeapSmall } from './server/process/small-heap.ts'
import { addProxyWatch } from './server/http/around/untrusted-proxy.ts'
import type { Parts } from './server/parts.ts'
import { addCalendar } from './year/calendar/calendar.routes.ts'
import { addDuties } from './year/obligations/duties.routes.ts'
import { addObligations } from './year/obligations/obligations.routes.ts'
import { addMetrics } from './watch/metrics.routes.ts'
import { addStatus } from './watch/status.routes.ts'
import { helpOf } from './help/help-of.ts'
import { addHelp } from './help/help.routes.ts'
import { urls } from './urls.ts'

const QUIET = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

const NO_MAIL =
  'Der er ikke sat en mailserver op (SMTP_URL), så Ringbind sender ingen mails. Når du inviterer nogen, får du et link at give videre.'

/** Builds the whole server, in the order in which a request passes through it. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, development, demo, https, secret } = parts
  const patience = parts.patience ?? PATIENCE
  keepHeapSmall()
  const app = fastify({
    logger: logOptions(config.logLevel, parts.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: config.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // finishes requests that arrived before the stop
    bodyLimit: FORM_BYTES,
    routerOptions: { maxParamLength: 1000 },
    // How soon headers that never end are noticed after their time is up.
    http: { connectionsCheckingInterval: Math.min(patience.headersMs / 4, 5000) },
    frameworkErrors: (error, request, reply) => void answerUnroutable(error, request, reply),
    clientErrorHandler: answerMalformed,
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  boundConnections(app.server, { patience, isProxy: isTrusted(config.trustProxy) })
  // JSON is personal: browsers and proxies must not store it, unless the route allows it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  addRequestLog(app)
  addWaitLog(app, parts.db)
  addGracefulClose(app, config.shutdownSeconds)
  addSecurityHeaders(app, { https, development, sendsTo: parts.storage.posts?.origin })
  refuseEncodedBodies(app)
  await app.register(fastifyCookie)
  await app.register(fastifyRateLimit, {
    max: ({ token }) => (token ? callsPerMinute(config.requestsPerMinute) : config.requestsPerMinute),
    timeWindow: 60_000,
    keyGenerator: (request) => whomToCount(request, parts),
    addHeaders: QUIET,
    addHeadersOnExceeding: QUIET,
    allowList: (request) => request.url.startsWith(urls.assets),
    errorResponseBuilder: () =>
      new Refusal(429, 'Der kom for mange forespørgsler. Vent et øjeblik, og prøv igen.'),
  })
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // At once, in one piece: a stream through other threads costs several times the compressing itself.
    syncThreshold: 300_000,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    globalDecompression: false,
  })
  addPermits(app, {
    findUser: (request) => findUser(request, parts),
    findBearer: bearerFinder(parts),
    // A browser that is not signed in has only the token of its forms.
    sessionOf: (request) => sessionToken(request, https) ?? request.cookies['XSRF-TOKEN'] ?? null,
    guard: (request, reply) => guardView(request, reply, https),
  })
  if (config.trustProxy === false) addProxyWatch(app, () => raiseNotice(parts.db, 'untrusted-proxy', {}))
  addFairShares(app, patience)
  addCsrfProtection(app, {
    secret,
    https,
    appUrl: config.appUrl,
    // A page of a view as somebody else has another token than one's own.
    boundTo: (request) => `${sessionToken(request, https) ?? ''} ${viewToken(request, https) ?? ''}`,
  })
  await addFormBodies(app)
  const officeSign = new OfficeSign(() => findOffice(parts.db))
  await addRenderer(app, {
    development,
    frameOf: async ({ user, seenChanges }, page) => ({
      demo,
      help: helpOf(page, user?.role ?? null),
      warning: user && isAdministrator(user.role) && config.smtpUrl === null && !demo ? NO_MAIL : null,
      timeZone: config.timeZone,
      seen: seenChanges(),
      office: await officeSign.read(),
      factorDue: user?.factorDue
        ? { days: daysUntil(user.factorDue.at), isPast: user.factorDue.isPast }
        : null,
      viewing: user?.viewedBy
        ? {
            id: user.id,
            until: user.viewedBy.until.toISOString(),
            minutesLeft: minutesUntil(user.viewedBy.until, new Date()),
          }
        : null,
      user: user && {
        id: user.id,
        name: user.name,
        email: user.email,
        role: user.role,
        roleName: ROLE_NAMES[user.role],
        image: user.image,
        provesWith: user.hasFactor ? 'factor' : user.hasPassword ? 'password' : buttonsOf(config.providers),
      },
    }),
  })
  addErrorHandler(app)
  await addMetrics(app, parts)

  addRoutes(app, parts, officeSign)
  return app
}

function addRoutes(app: FastifyInstance, parts: Parts, officeSign: OfficeSign): void {
  const gate = openGate(parts)
  addHealth(app, parts)
  addFaults(app)
  tellOfLowDisk(parts)
  addTheme(app, parts)
  addSignIn(app, parts)
  addSecondStep(app, parts)
  addProving(app, parts)
  addProviders(app, parts)
  addSetup(app, parts)
  addPasswords(app, parts)
  addProfile(app, parts)
  addTokens(app, parts)
  addFactors(app, parts)
  addSignInRules(app, parts)
  addStopMails(app, parts)
  addProjects(app, parts, gate)
  addFolders(app, parts, gate)
  addNews(app, parts)
  addFiles(app, parts, (project) => findProjectRelease(parts.db, project))
  addFileChanges(app, parts, gate)
  addManyChanges(app, parts, gate)
  addUndo(app, gate)
  addLook(app, parts)
  addMailedPapers(app, parts)
  addTrash(app, parts)
  addTemporaryUploads(app, parts)
  addTus(app, parts)
  addDirectUploads(app, parts)
  addResolving(app, parts)
  addPapers(app, parts)
  addKeptPiles(app, parts)
  addRenaming(app, parts)
  addPeriods(app, parts)
  addUploads(app, parts)
  addFiling(app, parts)
  addSplitting(app, parts)
  addVersions(app, parts)
  addReleases(app, parts, gate, GATED_ACTS)
  addInbox(app, parts)
  addIntakeContent(app, parts)
  addContent(app, parts)
  const sendArchive = archiveSender(app, parts)
  addZip(app, parts, sendArchive)
  addYearPackages(app, parts, sendArchive)
  addReport(app, parts)
  addUsers(app, parts)
  addPersonImage(app, parts)
  addUserChanges(app, parts, gate)
  addUserAccess(app, parts, gate)
  addViewEnd(app, parts)
  addLending(app, parts, gate)
  addReaders(app, parts)
  addOffice(app, parts, officeSign, {
    reading: (reader) => findReadingState(parts.db, reader, parts.config),
    setApproval: async (request, isWanted) => {
      const visit = visitOf(request)
      // Turning it on needs nobody else.
      if (isWanted) await APPROVAL_ACT.run(parts.db, parts, visit, { isWanted })
      const { asked } = isWanted ? { asked: null } : await gate.carryOut(visit, APPROVAL_ACT, { isWanted })
      return asked && leadToAsked(asked)
    },
    words: ownWords(parts),
  })
  addLog(app, parts, {
    reach: (file) => findFileReach(parts.db, file),
    versions: (reader, file) => listVersions(parts.db, reader, file),
  })
  addSearch(app, parts)
  addOverview(app, parts)
  addSavedSearches(app, parts)
  addDuties(app, parts)
  addObligations(app, parts)
  addCalendar(app, parts)
  addHooks(app, parts)
  addImport(app, parts, gate)
  addStartPage(app, parts)
  addFirstSteps(app, parts)
  addStatus(app, parts)
  addChanges(app, parts)
  addPrograms(app, parts)
  addHelp(app)
  if (parts.demo || parts.development) addGallery(app)
}

/**
 * Counts requests by address, and those of programs by their person, whichever API keys they have. Counts a known browser by
 * its person, so that a stranger at the same address cannot lock them out.
 */
function whomToCount(request: FastifyRequest, parts: Parts): string {
  if (request.token) return `programs of ${request.user!.id}`
  const person = knownPerson(request, parts)
  return person === null ? networkOf(request.ip) : `person ${person}`
}

const daysUntil = (at: string) => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 86_400_000))

async function findUser(request: FastifyRequest, { db, https, config }: Parts): Promise<SignedIn | null> {
  const ticket = ticketOf(request, https)
  if (!ticket) return null
  const expiry = expiryOf(config)
  // Requests that a page makes by itself do not keep the session alive.
  const isUse = !request.routeOptions.config.staysOpen && request.headers[UNATTENDED] === undefined
  return findSessionUser(db, ticket, expiry, isUse)
}
