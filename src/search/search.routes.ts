import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parametersOf } from '../base/filter-address.ts'
import { FIRST_PAGE, pageInfo } from '../base/pagination.ts'
import { findPersonNamed } from '../log/picked.db.ts'
import { may } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { invalid } from '../server/http/errors.ts'
import { userOf } from '../server/http/permit.ts'
import { whileConnected } from '../server/http/while-connected.ts'
import type { Refused } from '../server/http/forms/submit.ts'
import type { Parts } from '../server/parts.ts'
import { FairQueue } from '../server/process/fair-queue.ts'
import { urls } from '../urls.ts'
import { Look } from './beside/beside.server.ts'
import { findFiles } from './find/find-files.db.ts'
import { findPickedFilters } from './picked-filters.db.ts'
import { FILES_A_PAGE, type Question } from './answer/results.ts'
import { listSavedSearches } from './saved-searches.db.ts'
import { SEARCH } from './search-calls.server.ts'
import { isAsked, isFiltered, readSearch, writeSearch } from './answer/search-address.ts'
import type { BoxAnswer, PickedFilters, SearchList } from './answer/search-answer.ts'
import { suggest, suggestPlaces } from './suggest.db.ts'

/** The field of a person's name when the form is sent without JavaScript. */
const FIND_BY = 'find_by'

/** Adds the search: its page, and what the page and the box at the top of every page fetch. */
export function addSearch(app: FastifyInstance, parts: Parts): void {
  const { db } = parts
  const search = { config: { right: 'search' } } as const
  const answers = { config: { ...search.config, program: SEARCH } } as const

  app.get(urls.suggestions, search, (request, reply) =>
    inTurn(request, reply, (signal) => suggestTo(request, signal)),
  )
  async function suggestTo(request: FastifyRequest, signal: AbortSignal): Promise<BoxAnswer> {
    const reader = userOf(request)
    const { question, errors } = readSearch(parametersOf(request.url))
    const known = isFiltered(question) ? { q: ['Forslag har ingen filtre.'] } : errors
    if (Object.keys(known).length > 0) throw invalid(known)
    const [found, saved] = await Promise.all([
      question.q === '' ? NOTHING : suggest(db, reader, question.q, lookFor(reader, signal, 'box')),
      may(reader.role, 'saveSearches') ? listSavedSearches(db, reader.id) : [],
    ])
    return { ...found, saved }
  }

  app.get(urls.searchAnswers, answers, (request, reply) =>
    inTurn(request, reply, (signal) => list(request, signal)),
  )
  async function list(request: FastifyRequest, signal: AbortSignal): Promise<SearchList> {
    const { question, errors } = readSearch(parametersOf(request.url))
    const picked = await findPickedFilters(db, userOf(request), question)
    if (question.by !== null && !mayAskBy(request)) errors.by = ['Det filter kender søgningen ikke.']
    else if (question.by !== null && picked.by === null) errors.by = ['Personen findes ikke.']
    if (question.project !== null && picked.project === null) errors.project = ['Projektet findes ikke.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return answerTo(parts, request, question, picked, signal)
  }

  app.get(urls.search, search, (request, reply) =>
    showSearch(parts, request, reply, parametersOf(request.url)),
  )
}

/** Shows the page of a search, also after saving it was refused. */
export async function showSearch(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: URLSearchParams,
  refused?: Refused,
): Promise<FastifyReply> {
  const { db } = parts
  const reader = userOf(request)
  const { asked, name } = await readAsked(db, request, parameters)
  if (name !== '' && asked.by !== null) return reply.redirect(urls.search + writeSearch(asked), 303)
  const picked = await findPickedFilters(db, reader, asked)
  // Ignores a project or person that the reader does not see.
  const question = { ...asked, project: picked.project?.id ?? null, by: picked.by?.id ?? null }
  const list = await inTurn(request, reply, (signal) => answerTo(parts, request, question, picked, signal))
  if (reply.sent || !('data' in list)) return reply
  const { last_page: last } = list.meta
  if (question.page > last) return reply.redirect(urls.search + writeSearch({ ...question, page: last }), 303)
  return reply.page(
    'search',
    {
      question,
      list,
      saved: may(reader.role, 'saveSearches') ? await listSavedSearches(db, reader.id) : null,
      missing: name === '' ? null : name.slice(0, 100),
      ...(refused && { refused }),
    },
    question.q === '' ? 'Søg' : `Søg: ${question.q}`,
  )
}

/** Reads the question, and the name of the person that it asks by, if it has one. */
async function readAsked(
  db: Database,
  request: FastifyRequest,
  parameters: URLSearchParams,
): Promise<{ asked: Question; name: string }> {
  const { question } = readSearch(parameters)
  if (!mayAskBy(request)) return { asked: { ...question, by: null }, name: '' }
  const name = parameters.get(FIND_BY) ?? ''
  return { asked: name === '' ? question : { ...question, by: await findPersonNamed(db, name) }, name }
}

/** One search at a time for each person, whatever number of keys and pages they search from. */
const searching = new FairQueue({ each: 1 })

/** Searches when the person's other searches are done, and stops when the client leaves. */
const inTurn = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  search: (signal: AbortSignal) => Promise<Result>,
) =>
  whileConnected(request, reply, (signal) =>
    searching.run(String(userOf(request).id), () => {
      signal.throwIfAborted()
      return search(signal)
    }),
  )

const lookFor = ({ id }: { id: number }, signal: AbortSignal, kind: 'page' | 'box') =>
  new Look({ client: String(id), signal, kind })

/** Only the office knows who uploaded a file. */
const mayAskBy = (request: FastifyRequest) => may(userOf(request).role, 'seeUsers')

async function answerTo(
  { db, config }: Parts,
  request: FastifyRequest,
  question: Question,
  picked: PickedFilters,
  signal: AbortSignal,
): Promise<SearchList> {
  const reader = userOf(request)
  const { page, q } = question
  const asksPlaces = q !== '' && page === FIRST_PAGE && !isFiltered(question)
  const [found, places] = await Promise.all([
    isAsked(question)
      ? findFiles(db, reader, question, config.timeZone, lookFor(reader, signal, 'page'))
      : { ...NOTHING, total: 0, facets: NO_FACETS },
    asksPlaces ? suggestPlaces(db, reader, q) : null,
  ])
  const { files, total, isMore, isCut, unread, corrected, facets } = found
  return {
    data: files,
    meta: pageInfo({ page, perPage: FILES_A_PAGE, total, rows: files.length }),
    about: { isMore, isCut, unread, corrected, facets },
    places,
    picked,
  }
}

const NOTHING = {
  projects: [],
  folders: [],
  people: [],
  files: [],
  isMore: false,
  isCut: false,
  unread: 0,
  corrected: null,
}
const NO_FACETS = { projects: [], folders: [], years: [] }
