import type { FastifyInstance } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { addSavedSearches } from './saved-searches.routes.ts'
import { addSearch } from './search.routes.ts'

/** Adds the routes of search. */
export function addSearchRoom(app: FastifyInstance, parts: Parts): void {
  addSearch(app, parts)
  addSavedSearches(app, parts)
}
