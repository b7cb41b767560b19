import type { FastifyInstance } from 'fastify'
import type { Right } from '../../rights.ts'
import { urls } from '../../urls.ts'

/** Pages that have become part of another: links in old mails and bookmarks lead there. */
const MOVED: { from: string; to: string; right: Right }[] = [
  { from: urls.tokens, to: `${urls.programs}#tokens`, right: 'editUsers' },
  { from: urls.hooks, to: `${urls.programs}#hooks`, right: 'editHooks' },
]

/** Adds the old addresses. */
export function addMoved(app: FastifyInstance): void {
  for (const { from, to, right } of MOVED)
    app.get(from, { config: { right } }, (_request, reply) => reply.redirect(to, 303))
}
