import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { parametersOf } from '../base/filter-address.ts'
import { dayOf } from '../base/time/dates.ts'
import { may } from '../rights.ts'
import { invalid, notFound } from '../server/http/errors.ts'
import { requireFreshProof } from '../server/http/fresh-proof.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { urls } from '../urls.ts'
import { actorOf } from './actor.routes.ts'
import { LIST_FILE_HISTORY, LIST_LOG } from './calls/log-calls.server.ts'
import { BYTE_ORDER_MARK } from './csv.ts'
import { listLog, readAll, type EntryFilter } from './entries.db.ts'
import { releaseIn, type LogAnswer, type LogEntry, type LogHome, type Picked } from './words/entry.ts'
import { EXPORT_HEAD, exportLine } from './export.ts'
import { readLogQuery, sentDays, writeLogQuery, type LogQuery } from './words/filter.ts'
import { addLoneLogEntry } from './log.db.ts'
import { boundsOf, daysOf, type Days } from './words/named-period.ts'
import { findPersonNamed, findPicked, findProjectNamed, isFileKnown, type AboutFile } from './picked.db.ts'
import { titleOf } from './words/title.ts'

const NOWHERE = { person: 'Personen findes ikke.', project: 'Projektet findes ikke.' }

/** The part of the log that a page shows. */
type Place = {
  home: LogHome
  /** Shows entries of this file only. */
  file: number | null
  isWhole: boolean
}

const LOG: Place = { home: { page: urls.log, list: urls.listLog }, file: null, isWhole: true }

const WITHOUT = { without: 'log-exported' } as const

/** Adds the names of the releases that entries are about. */
async function withReleases(entries: LogEntry[], about: AboutFile): Promise<LogEntry[]> {
  const names = await about.releases(entries.flatMap((entry) => releaseIn(entry) ?? []))
  return entries.map((entry) => {
    const id = releaseIn(entry)
    const name = id === null ? undefined : names.get(id)
    return name === undefined ? entry : { ...entry, release: { id: id!, name } }
  })
}

export function addLog(app: FastifyInstance, { db, config: { timeZone } }: Parts, about: AboutFile): void {
  const see = { config: { right: 'seeLog' } } as const

  const daysIn = ({ period, from, to }: LogQuery): Days =>
    period === null ? { from, to } : daysOf(period, new Date(), timeZone)

  const wantedOf = (query: LogQuery): EntryFilter => ({ ...query, ...boundsOf(daysIn(query), timeZone) })

  async function answerTo(
    { file, isWhole }: Place,
    query: LogQuery,
    picked: Omit<Picked, 'days'>,
  ): Promise<LogAnswer> {
    const wanted = { ...wantedOf(query), ...(file !== null && { file }), ...(!isWhole && WITHOUT) }
    const { data, meta } = await listLog(db, wanted, query.page)
    const named = await withReleases(data, about)
    return {
      data: isWhole ? named : named.map((entry) => ({ ...entry, address: null })),
      meta,
      picked: { ...picked, days: daysIn(query) },
    }
  }

  const pickedIn = (request: FastifyRequest, { file }: Place, query: LogQuery) =>
    findPicked(db, { ...query, file: file ?? query.file }, about, userOf(request))

  /** Reads the filters. Refuses the request if any of them is wrong. */
  async function askedOf(request: FastifyRequest, place = LOG) {
    const { query, errors } = readLogQuery(parametersOf(request.url))
    const picked = await pickedIn(request, place, query)
    for (const name of ['person', 'project'] as const)
      if (query[name] !== null && picked[name] === null) errors[name] = [NOWHERE[name]]
    if (place.file !== null && query.file !== null) errors.file = ['Historikken er om filen i adressen.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return { query, picked }
  }

  async function list(request: FastifyRequest, place: Place): Promise<LogAnswer> {
    const { query, picked } = await askedOf(request, place)
    return answerTo(place, query, picked)
  }

  async function show(request: FastifyRequest, reply: FastifyReply, place: Place) {
    const { home } = place
    const parameters = parametersOf(request.url)
    const reading = readLogQuery(parameters)
    const asked = place.file === null ? reading.query : { ...reading.query, file: null }
    const { query: found, missing } = await find(db, asked, parameters)
    if (found !== asked && missing.length === 0) return reply.redirect(home.page + writeLogQuery(found), 303)
    const picked = await pickedIn(request, place, found)
    // Ignores a person or project that does not exist.
    const query = { ...found, person: picked.person?.id ?? null, project: picked.project?.id ?? null }
    const answer = await answerTo(place, query, picked)
    const { last_page: last } = answer.meta
    if (query.page > last) return reply.redirect(home.page + writeLogQuery({ ...query, page: last }), 303)
    const sent = sentDays(parameters, reading)
    return reply.page('log', { query, answer, missing, sent, home }, titleOf(answer.picked))
  }

  app.get(urls.listLog, { config: { ...see.config, program: LIST_LOG } }, (request) => list(request, LOG))
  app.get(urls.log, see, (request, reply) => show(request, reply, LOG))

  type Address = { Params: { file: string } }
  const seeHistory = { config: { right: 'seeFileHistory' } } as const

  /**
   * Returns the part of the log about one file. Only people who may see the whole log see IP addresses and exports.
   */
  async function historyAt(request: FastifyRequest<Address>): Promise<Place> {
    const file = idIn(request.params.file)
    if (!(await isFileKnown(db, file))) throw notFound('Filen findes ikke.')
    return {
      home: { page: urls.fileHistory(file), list: urls.listFileHistory(file) },
      file,
      isWhole: may(userOf(request).role, 'seeLog'),
    }
  }

  const listHistory = { config: { ...seeHistory.config, program: LIST_FILE_HISTORY } } as const
  app.get<Address>(urls.listFileHistory(':file'), listHistory, (request) =>
    historyAt(request).then((place) => list(request, place)),
  )
  app.get<Address>(urls.fileHistory(':file'), seeHistory, async (request, reply) =>
    show(request, reply, await historyAt(request)),
  )

  app.route({
    // Handles HEAD as well: Fastify's own HEAD route would add a log entry and read the log.
    method: ['GET', 'HEAD'],
    url: urls.logCsv,
    config: { right: 'seeLog' },
    async handler(request, reply) {
      if (request.method === 'GET') requireFreshProof(request)
      const { query } = await askedOf(request)
      void reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header(
          'content-disposition',
          `attachment; filename="ringbind-log-${dayOf(new Date(), timeZone)}.csv"`,
        )
      if (request.method === 'HEAD') return reply.send()
      const { person: userId, project: projectId, file } = query
      const ownEntry = await addLoneLogEntry(db, actorOf(request), 'log-exported', {
        userId,
        projectId,
        ...(file !== null && { fileId: file }),
      })
      return reply.send(Readable.from(linesOf(wantedOf(query), ownEntry), { highWaterMark: 1 }))
    },
  })

  /** Yields the entries from before the request, so neither later ones nor the export's own. */
  async function* linesOf(wanted: EntryFilter, ownEntry: number): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + EXPORT_HEAD
    for await (const entries of readAll(db, wanted, ownEntry))
      yield entries.map((entry) => exportLine(entry, timeZone)).join('')
  }
}

/** Without JavaScript a person and a project are written instead of picked. */
async function find(
  db: Parts['db'],
  query: LogQuery,
  parameters: URLSearchParams,
): Promise<{ query: LogQuery; missing: string[] }> {
  const [person, project] = [parameters.get('find_person') ?? '', parameters.get('find_project') ?? '']
  if (person === '' && project === '') return { query, missing: [] }
  const found = {
    person: person === '' ? query.person : await findPersonNamed(db, person),
    project: project === '' ? query.project : await findProjectNamed(db, project),
  }
  const missing = [
    ...(person !== '' && found.person === null ? [person] : []),
    ...(project !== '' && found.project === null ? [project] : []),
  ]
  return { query: { ...query, ...found }, missing }
}
