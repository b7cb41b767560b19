import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { callsPerMinute } from '../accounts/tokens/token.ts'
import { listTokens, MOST_LISTED } from '../accounts/tokens/tokens.db.ts'
import { actorOf } from '../log/actor.routes.ts'
import { choose, hasChosen } from '../office/office.db.ts'
import { ROLES, SCOPES } from '../rights.ts'
import { rowId } from '../server/http/answers.ts'
import { submit, type Refused } from '../server/http/forms/submit.ts'
import { userOf } from '../server/http/permit.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import { flag, validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { describeApi, type CalledRoute } from './describe.server.ts'
import { docsOf } from './docs.ts'
import { listHooks } from './hooks/hooks.db.ts'
import type { OpenApi } from './openapi.ts'

const WHO_AM_I = {
  scope: 'any',
  id: 'whoAmI',
  chapter: 'key',
  summary: 'Se, hvem nøglen tilhører',
  says: 'Godt til at prøve en nøgle.',
  answer: z
    .strictObject({
      id: rowId.meta({ examples: [2] }),
      name: z.string().meta({ examples: ['Mads Thorup'] }),
      email: z.string().meta({ examples: ['medarbejder@ringbind.example'] }),
      role: z.enum(ROLES).meta({ examples: ['employee'] }),
      scopes: z
        .array(z.enum(SCOPES))
        .nullable()
        .meta({ description: 'Hvad nøglen må bruges til; null uden nøgle.', examples: [['read', 'upload']] }),
    })
    .meta({ id: 'Me', description: 'Personen bag nøglen.' }),
} as const satisfies ProgramCall

const READ_DESCRIPTION = {
  scope: 'any',
  id: 'readDescription',
  chapter: 'key',
  summary: 'Hent beskrivelsen af API’et',
  says: 'OpenAPI 3.1, som klienter kan laves af. Kræver ingen nøgle.',
  answer: z.looseObject({ openapi: z.string().meta({ examples: ['3.1.1'] }) }),
} as const satisfies ProgramCall

/** A check box: a missing field means no. `was` is what the page showed. */
const OutsideForm = z.object({
  outside_tokens: flag,
  was: z.enum(['0', '1'], 'Genindlæs siden, og prøv igen.'),
})

/** Adds which programs there are, and the API as they see it: its description, as a page and for generators, and who one is. */
export function addPrograms(app: FastifyInstance, { config, db }: Parts): void {
  const edit = { config: { right: 'editHooks' } } as const
  const show = async (reply: FastifyReply, refused?: Refused) =>
    reply.page(
      'programs',
      {
        hooks: await listHooks(db),
        tokens: await listTokens(db),
        most: MOST_LISTED,
        isOutsideAllowed: await hasChosen(db, 'outside_tokens'),
        now: new Date().toISOString(),
        ...(refused && { refused }),
      },
      'Programmer',
    )

  app.get(urls.programs, edit, (_request, reply) => show(reply))

  app.post(urls.outsideTokens, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { outside_tokens: isWanted, was } = validate(OutsideForm, request.body)
        await choose(db, actorOf(request), 'outside_tokens', isWanted, was === '1')
        return urls.programs
      },
      (refused) => show(reply, refused),
    ),
  )

  app.get(urls.me, { config: { right: 'enter', program: WHO_AM_I } }, (request) => {
    const { id, name, email, role } = userOf(request)
    return { id, name, email, role, scopes: request.token?.scopes ?? null }
  })

  // Made at the first request, when all routes are registered.
  let description: OpenApi | undefined
  const describe = () => (description ??= describeApi(calledRoutes(app), config.appUrl))

  app.get(urls.apiDescription, { config: { right: 'visit', program: READ_DESCRIPTION } }, () => describe())
  app.get(urls.apiDocs, { config: { right: 'visit' } }, (_request, reply) =>
    reply.page(
      'docs',
      {
        docs: docsOf(describe()),
        limits: {
          calls: callsPerMinute(config.requestsPerMinute),
          fileBytes: config.maxFileBytes,
          files: config.maxFilesPerSubmit,
        },
      },
      'API',
    ),
  )
}

/** Lists the routes that programs may call. Fastify adds a HEAD to every GET, which needs no words. */
export function calledRoutes({ routeRights }: Pick<FastifyInstance, 'routeRights'>): CalledRoute[] {
  const isGet = new Set(routeRights.filter(({ method }) => method === 'GET').map(({ url }) => url))
  return routeRights.flatMap(({ method, url, right, program }) =>
    program && !(method === 'HEAD' && isGet.has(url)) ? [{ method, url, right, call: program }] : [],
  )
}
