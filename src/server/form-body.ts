import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse } from 'qs'
import { Refusal } from './errors.ts'

// A form of 2,000 files has 10,000 fields.
const FIELDS = 20_000
const FIELD_BYTES = 100_000
const FORM_BYTES = 5_000_000

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
    (_request, body, done) => done(null, nested(body.toString())),
  )
  await app.register(fastifyMultipart, {
    limits: { parts: FIELDS, fields: FIELDS, fieldSize: FIELD_BYTES, fieldNameSize: 500, files: FIELDS },
  })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart() && !request.routeOptions.config.readsParts)
      request.body = await readFields(request)
  })
}

async function readFields(request: FastifyRequest): Promise<Record<string, unknown>> {
  const pairs = new URLSearchParams()
  let bytes = 0
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      part.file.resume()
      throw new Refusal(415, 'Her kan der ikke sendes filer.')
    }
    const value = String(part.value)
    bytes += part.fieldname.length + value.length
    if (bytes > FORM_BYTES || part.valueTruncated) throw new Refusal(413, 'Formularen er for stor.')
    pairs.append(part.fieldname, value)
  }
  return nested(pairs.toString())
}

function nested(text: string): Record<string, unknown> {
  return parse(text, { depth: 4, parameterLimit: FIELDS, arrayLimit: 0, ignoreQueryPrefix: false })
}
