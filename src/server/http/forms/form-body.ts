import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { takeTurn } from '../answer-turns.ts'
import { invalid, Refusal } from '../errors.ts'
import { FairQueue } from '../../process/fair-queue.ts'
import { countJsonValues, readMultipart, readUrlencoded, tooLarge, unreadableFields } from './form-fields.ts'
import { passBuffer } from '../../process/passed-buffers.ts'

/** The limits of a form. A route may raise them with `bodyLimit`, and `mostFields` in its `config`. */
export const FORM_BYTES = 100_000
const FORM_FIELDS = 200

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads a multipart body itself, as a stream. */
    readsParts?: boolean
    /** The route stores no text, so unreadable texts are allowed. */
    takesAnyText?: boolean
    /** The most fields of a form, or values of a JSON text. */
    mostFields?: number
  }
}

const mostFieldsOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.mostFields ?? FORM_FIELDS

/** Reads forms as JSON, urlencoded with nested keys, or multipart, into one shape. */
export async function addFormBodies(app: FastifyInstance): Promise<void> {
  // A parsed form takes many times its bytes. Forms that wait for their turn are kept as bytes.
  const largeForms = new FairQueue({ atOnce: 2, each: 1 })

  async function readInTurn(request: FastifyRequest): Promise<Buffer> {
    const bytes = await readWhole(request)
    if (bytes.length > FORM_BYTES) await takeTurn(largeForms, request)
    await request.takeTurn()
    return bytes
  }

  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const bytes = await readInTurn(request)
    return readUrlencoded(bytes.toString(), mostFieldsOf(request))
  })

  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const text = (await readInTurn(request)).toString()
    if ((await countJsonValues(text)) > mostFieldsOf(request)) throw tooLarge()
    return new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, parsed) => (error ? reject(error) : resolve(parsed)))
    })
  })

  await app.register(fastifyMultipart)
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || request.routeOptions.config.readsParts) return
    const bytes = await readInTurn(request)
    request.body = await readMultipart(bytes, request.headers['content-type'] ?? '', mostFieldsOf(request))
  })

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.takesAnyText) return
    const names = await unreadableFields(request.body)
    if (names.length > 0) throw invalid(Object.fromEntries(names.map((name) => [name, [UNREADABLE]])))
  })
}

const UNREADABLE = 'Teksten har tegn, der ikke kan læses.'

/** Reads the whole body with back-pressure: otherwise one connection fills megabytes before another gets its turn. */
async function readWhole({ raw, routeOptions }: FastifyRequest): Promise<Buffer> {
  const { bodyLimit, config } = routeOptions
  // A limit that allows files does not allow texts of that size.
  const most = config.readsParts ? FORM_BYTES : bodyLimit
  if (Number(raw.headers['content-length'] ?? 0) > most) throw tooMuch()
  const chunks: Buffer[] = []
  let size = 0
  // A client that sends too much hears so before the connection is closed.
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw tooMuch()
    chunks.push(chunk)
  }
  if (chunks.length === 1) return chunks[0]!
  passBuffer(size)
  return Buffer.concat(chunks)
}

const tooMuch = () => new Refusal(413, 'Det, der blev sendt, er for stort.')
