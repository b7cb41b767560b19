import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notFound, Refusal } from '../server/http/errors.ts'
import { line, validate } from '../server/http/validate.ts'
import { urls } from '../urls.ts'
import { FOLDERS, galleryCalls, type MenuKind } from './gallery-calls.ts'

const Form = z.object({ name: line('Navn') })

const listOf = (data: typeof FOLDERS) => ({ data, meta: { total: data.length } })

const ANSWERS: Record<MenuKind, () => Promise<unknown>> = {
  folders: () => Promise.resolve(listOf(FOLDERS)),
  slow: () => wait(2000, listOf(FOLDERS.slice(0, 5))),
  empty: () => Promise.resolve(listOf([])),
  failing: () => Promise.reject(new Refusal(409, 'Listen kan ikke hentes.')),
}

/** Adds the gallery. Used only in development and in the demo. */
export function addGallery(app: FastifyInstance): void {
  const config = { right: 'visit' } as const
  app.get(urls.gallery, { config }, (_request, reply) => reply.page('gallery', {}, 'Galleri'))

  app.post(urls.gallery, { config }, ({ body }) => {
    validate(Form, body)
    return {}
  })

  app.get<{ Params: { kind: string } }>(galleryCalls.menu(':kind'), { config }, ({ params }) => {
    if (!(params.kind in ANSWERS)) throw notFound()
    return ANSWERS[params.kind as MenuKind]()
  })
}
