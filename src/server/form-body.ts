import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse } from 'qs'
import { Refusal } from './errors.ts'
import { partsOf } from './parts.ts'

// A form of 3,000 files has 15,000 fields.
const FIELDS = 20_000
const FIELD_BYTES = 100_000
export const FORM_BYTES = 5_000_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads the parts of a multipart body by itself, as a stream. */
    readsParts?: boolean
  }
}

/** Forms arrive as JSON, urlencoded with nested keys, or multipart: all the same to a route. */
export async function addFormBodies(app: FastifyInstance): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    async (_request: FastifyRequest, body: string | Buffer) => nested(body.toString()),
  )
  await app.register(fastifyMultipart, {
    limits: { parts: Infinity, fields: FIELDS, fieldSize: FIELD_BYTES, fieldNameSize: 500, files: FIELDS },
  })
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || request.routeOptions.config.readsParts) return
    // Without a length there is no telling how much would have to be read.
    const length = Number(request.headers['content-length'] ?? Infinity)
    if (!(length <= FORM_BYTES)) throw tooLarge()
    request.body = await readFields(request).catch((error: Error & { statusCode?: number }) => {
      if (error.statusCode === 413) throw tooLarge()
      throw error instanceof Refusal ? error : new Refusal(400, 'Formularen kom ikke helt frem. Prøv igen.')
    })
  })
}

async function readFields(request: FastifyRequest): Promise<Record<string, unknown>> {
  const pairs = new URLSearchParams()
  for await (const part of partsOf(request)) {
    if (part.type === 'file') {
      part.file.resume()
      throw new Refusal(415, 'Her kan der ikke sendes filer.')
    }
    if (part.valueTruncated) throw new Refusal(413, 'Et felt i formularen er for langt.')
    pairs.append(part.fieldname, String(part.value))
  }
  return nested(pairs.toString())
}

const tooLarge = () => new Refusal(413, 'Formularen er for stor.')

function nested(text: string): Record<string, unknown> {
  // The library would leave out the rest; told to refuse it, it refuses lists too.
  if (text.split('&', FIELDS + 1).length > FIELDS) throw tooLarge()
  // Without a prototype: or `files[constructor]` would be left out.
  return parse(text, {
    depth: 4,
    parameterLimit: FIELDS,
    arrayLimit: 0,
    ignoreQueryPrefix: false,
    plainObjects: true,
  })
}
