import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { breather } from './breather.ts'
import { invalid, Refusal } from './errors.ts'
import {
  countJsonValues,
  FIELD_BYTES,
  FieldSet,
  fieldTooLong,
  readUrlencoded,
  tooLarge,
  unreadableFields,
  type Fields,
} from './form-fields.ts'
import { partsOf } from './parts.ts'

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
    async (request: FastifyRequest, body: string | Buffer) =>
      readUrlencoded(body.toString(), mostFieldsOf(request)),
  )

  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (countJsonValues(text) > mostFieldsOf(request)) return done(tooLarge())
    return parseJson(request, text, done)
  })

  await app.register(fastifyMultipart)
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || request.routeOptions.config.readsParts) return
    // Without a length there is no telling how much would have to be read.
    const length = Number(request.headers['content-length'] ?? Infinity)
    if (!(length <= request.routeOptions.bodyLimit)) throw tooLarge()
    request.body = await readFields(request).catch((error: Error & { statusCode?: number }) => {
      if (error.statusCode === 413) throw tooLarge()
      throw error instanceof Refusal ? error : new Refusal(400, 'Formularen kom ikke helt frem. Prøv igen.')
    })
  })

  app.addHook('preValidation', (request, _reply, done) => {
    const names = request.routeOptions.config.takesAnyText ? [] : unreadableFields(request.body)
    done(
      names.length === 0 ? undefined : invalid(Object.fromEntries(names.map((name) => [name, [UNREADABLE]]))),
    )
  })
}

const UNREADABLE = 'Teksten har tegn, der ikke kan læses.'

async function readFields(request: FastifyRequest): Promise<Fields> {
  const most = mostFieldsOf(request)
  // Not by its limit of parts: nobody listens to the error of one that is beyond it, which would end the process.
  const limits = { parts: Infinity, fields: most, fieldSize: FIELD_BYTES, fieldNameSize: 500, files: 1 }
  const gathered = new FieldSet()
  const breathe = breather()
  for await (const part of partsOf(request, { limits })) {
    if (part.type === 'file') {
      part.file.resume()
      throw new Refusal(415, 'Her kan der ikke sendes filer.')
    }
    await breathe()
    if (part.valueTruncated) throw fieldTooLong()
    gathered.add(part.fieldname, String(part.value))
  }
  return gathered.fields
}
