import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from './errors.ts'
import { countJsonValues, readMultipart, readUrlencoded, tooLarge, unreadableFields } from './form-fields.ts'

/** What a form has at most, unless its route says more: `bodyLimit`, and `mostFields` in its `config`. */
export const FORM_BYTES = 100_000
const FORM_FIELDS = 200

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads the parts of a multipart body by itself, as a stream. */
    readsParts?: boolean
    /** Nothing of it is kept: a text that nobody can read is looked up as any other. */
    takesAnyText?: boolean
    /** How many fields a form may have here, or how many values a JSON text. */
    mostFields?: number
  }
}

const mostFieldsOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.mostFields ?? FORM_FIELDS

/** Forms arrive as JSON, urlencoded with nested keys, or multipart: all the same to a route. */
export async function addFormBodies(app: FastifyInstance): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) => {
      refuseLargeText(request, body)
      return readUrlencoded(body.toString(), mostFieldsOf(request))
    },
  )

  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string | Buffer) => {
      refuseLargeText(request, body)
      const text = body.toString()
      if ((await countJsonValues(text)) > mostFieldsOf(request)) throw tooLarge()
      return new Promise<unknown>((resolve, reject) => {
        void parseJson(request, text, (error, parsed) => (error ? reject(error) : resolve(parsed)))
      })
    },
  )

  await app.register(fastifyMultipart)
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || request.routeOptions.config.readsParts) return
    if (Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit) throw tooLarge()
    const bytes = await readWhole(request)
    request.body = await readMultipart(bytes, request.headers['content-type'] ?? '', mostFieldsOf(request))
  })

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.takesAnyText) return
    const names = await unreadableFields(request.body)
    if (names.length > 0) throw invalid(Object.fromEntries(names.map((name) => [name, [UNREADABLE]])))
  })
}

/** Where there is room for files, there is none for texts of that size. */
function refuseLargeText({ routeOptions }: FastifyRequest, { length }: string | Buffer): void {
  if (routeOptions.config.readsParts && length > FORM_BYTES) throw tooLarge()
}

const UNREADABLE = 'Teksten har tegn, der ikke kan læses.'

async function readWhole({ raw, routeOptions }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // Whoever sends too much is told so before the connection is closed.
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > routeOptions.bodyLimit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
