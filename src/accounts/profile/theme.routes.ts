import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import { ownPath } from '../../next-urls.ts'
import { urls } from '../../urls.ts'

const Form = z.object({
  theme: z.enum(['light', 'dark', 'auto'], { error: 'Vælg lyst, mørkt eller automatisk.' }),
  next: z.unknown().optional(),
})

/** The theme belongs to the browser, not the person, so it needs no account. */
export function addTheme(app: FastifyInstance, { https }: Parts): void {
  app.post(urls.theme, { config: { right: 'visit' } }, (request, reply) =>
    submit(request, reply, () => {
      const { theme, next } = validate(Form, request.body)
      void reply.setCookie('theme', theme, {
        path: '/',
        sameSite: 'lax',
        secure: https,
        maxAge: 365 * 24 * 3600,
      })
      return Promise.resolve(ownPath(next))
    }),
  )
}
