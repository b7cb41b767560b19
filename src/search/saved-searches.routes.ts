import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { FIRST_PAGE } from '../base/pagination.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit } from '../server/http/forms/submit.ts'
import { line, validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { MOST_NAME_LETTERS } from './answer/saved-search.ts'
import { removeSavedSearch, saveSearch } from './saved-searches.db.ts'
import { isAsked, readSearch, writeSearch } from './answer/search-address.ts'
import { showSearch } from './search.routes.ts'

const NOTHING = 'Søg efter noget, eller vælg et filter, før du gemmer.'

const Form = z.object({
  name: line('Navnet', MOST_NAME_LETTERS),
  query: z
    .string({ error: NOTHING })
    .max(4000, { error: 'Søgningen er for lang.', abort: true })
    .transform((text) => ({ ...readSearch(new URLSearchParams(text)).question, page: FIRST_PAGE }))
    .refine(isAsked, { error: NOTHING })
    .transform(writeSearch),
})

type Address = { Params: { search: string } }

/** Adds the searches that people of the office save for themselves. */
export function addSavedSearches(app: FastifyInstance, parts: Parts): void {
  const { db } = parts
  const save = { config: { right: 'saveSearches' } } as const

  app.post(urls.savedSearches, save, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { name, query } = validate(Form, request.body)
        await saveSearch(db, userOf(request).id, { name, query })
        return urls.search + query
      },
      (refused) =>
        showSearch(parts, request, reply, new URLSearchParams(refused.values.query ?? ''), refused),
    ),
  )

  app.post<Address>(urls.removeSavedSearch(':search'), save, (request, reply) =>
    submit(request, reply, async () => {
      await removeSavedSearch(db, userOf(request).id, idIn(request.params.search))
      return urls.search
    }),
  )
}
