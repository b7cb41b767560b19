import type { FastifyRequest } from 'fastify'
import { readListQuery, type ListQuery } from '../../base/list-query.ts'
import { invalid } from './errors.ts'

/** What a call asks of a list; refused when something is wrong with it. */
export function listQueryOf(request: FastifyRequest, columns: readonly string[]): ListQuery {
  const { query, errors } = readListQuery(parametersOf(request), columns)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return query
}

/** What a page's address asks of its list; a part that is wrong is as if it was not there. */
export function pageQueryOf(request: FastifyRequest, columns: readonly string[]): ListQuery {
  return readListQuery(parametersOf(request), columns).query
}

function parametersOf({ url }: FastifyRequest): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark))
}
