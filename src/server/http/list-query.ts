import type { FastifyRequest } from 'fastify'
import { parametersOf } from '../../base/filter-address.ts'
import { readListQuery, type ListQuery } from '../../base/list-query.ts'
import { invalid } from './errors.ts'

/** Reads a call's list query; refuses a wrong one. */
export function listQueryOf(
  request: FastifyRequest,
  columns: readonly string[],
  filters: readonly string[] = [],
  kinds: readonly string[] = [],
): ListQuery {
  const { query, errors } = readListQuery(parametersOf(request.url), columns, filters, kinds)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return query
}

/** Reads the list query in a page's address; ignores wrong parts. */
export function pageQueryOf(
  request: FastifyRequest,
  columns: readonly string[],
  filters: readonly string[] = [],
  kinds: readonly string[] = [],
): ListQuery {
  return readListQuery(parametersOf(request.url), columns, filters, kinds).query
}
