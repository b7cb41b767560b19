import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { readPublishing } from '../../releases/release/release.ts'
import { whenOver } from '../../server/http/connections.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { id, validate, validateMany } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { FairQueue } from '../../server/process/fair-queue.ts'
import { ProgramFailed } from '../../server/process/limited-process.ts'
import { Unreadable } from '../../server/reading/reading-fault.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import { MissingBytes } from '../../server/storage/storage.ts'
import { findPageDrawer } from '../../server/storage/thumbnail.ts'
import { urls } from '../../urls.ts'
import { formOf } from '../form/upload-form.server.ts'
import { findSentFile } from '../transport/sent-file.db.ts'
import { NoRoom } from '../transport/temporary.db.ts'
import { full, roomLimitOf, noRoom, TEXTS } from '../transport/temporary.routes.ts'
import { drawPages } from './pdf/draw-pages.server.ts'
import { readRanges } from './pdf/page-ranges.ts'
import { MOST_PATTERN, patternFault } from './part-names.ts'
import { planFaults } from './plan.ts'
import { readSplit } from './read-split.server.ts'
import { GONE, storeSplit, type SentSplit } from './split.db.ts'
import { PAGES_AT_ONCE, type SplitPictures } from './split.ts'

const HASH_NAME = /^[0-9a-f]{32}$/
const hashName = z.string({ error: GONE }).regex(HASH_NAME, GONE)

/** Adds the form that divides one PDF among investors. */
export function addSplitting(app: FastifyInstance, parts: Parts): void {
  const { db, config, storage } = parts
  const change = { config: { right: 'changeFiles' } } as const
  const most = config.maxSplitPages
  // Each takes a core and a lot of memory.
  const reading = new FairQueue({ atOnce: 2, each: 1 })
  const drawing = new FairQueue({ atOnce: 2, each: 2 })

  app.get<{ Querystring: { file?: unknown } }>(urls.splitUpload, change, (request, reply) => {
    const { file } = request.query
    if (typeof file !== 'string' || !HASH_NAME.test(file)) return reply.redirect(urls.upload)
    return reply.page('split', { sent: file }, 'Del og fordel')
  })

  app.post(urls.readSplit, change, async (request, reply) => {
    const { file } = validate(z.object({ file: hashName }), request.body)
    const user = userOf(request)
    const signal = signalOf(request, reply)
    return reading.run(String(user.id), () => unlessUnfit(() => readSplit(parts, user, file, most, signal)))
  })

  const Pictures = z.object({
    from: z.coerce.number().int().min(1).max(most),
    to: z.coerce.number().int().min(1).max(most),
    size: z.enum(['small', 'large']).default('small'),
  })
  app.get<{ Params: { file: string } }>(urls.splitPictures(':file'), change, async (request, reply) => {
    const { from, to, size } = validate(Pictures, request.query)
    const mostPages = size === 'small' ? PAGES_AT_ONCE : 1
    if (to < from || to - from + 1 > mostPages) throw invalid({ to: ['Der kan ikke tegnes så mange sider.'] })
    const user = userOf(request)
    const file = HASH_NAME.test(request.params.file) && (await findSentFile(db, user.id, request.params.file))
    if (!file) throw notFound(GONE)
    const drawer = await findPageDrawer()
    const signal = signalOf(request, reply)
    const drawn =
      drawer !== null &&
      (await drawing.run(String(user.id), async () => {
        signal.throwIfAborted() // its browser has left while it waited
        return drawPages(await storage.open(file.key), drawer, { from, to }, size, signal).catch(
          (error: unknown) => {
            if (error instanceof ProgramFailed) return null // a page that cannot be drawn has its words
            throw error
          },
        )
      }))
    const pictures = (drawn || []).map((jpeg, index) => [
      from + index,
      `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    ])
    return reply
      .header('cache-control', 'private, no-store')
      .send({ pictures: Object.fromEntries(pictures) } satisfies SplitPictures)
  })

  const mostParts = config.maxFilesPerSubmit
  const saving = {
    config: { ...change.config, mostFields: 3 * mostParts + 100 },
    bodyLimit: 200 * mostParts + 8 * most + FORM_BYTES,
  } as const
  const Form = splitFormOf(most, mostParts)
  const Part = partOf(most)

  app.post(urls.splitUpload, saving, (request, reply) =>
    submit(request, reply, async () => {
      const sent = await validateMany(Form, 'parts', Part, request.body)
      const split = readForm(sent, config.timeZone)
      const signal = signalOf(request, reply)
      const limit = config.maxFileBytes
      const options = { form: urls.splitUpload, limit, most: roomLimitOf(request, config), signal }
      await reading.run(String(userOf(request).id), () =>
        unlessUnfit(() => storeSplit(parts, visitOf(request), split, options), options),
      )
      return urls.uploadResult(split.key)
    }),
  )
}

const splitFormOf = (most: number, mostParts: number) =>
  formOf(mostParts)
    .pick({ submission: true, shared: true, publish: true, publish_day: true, publish_time: true })
    .extend({
      file: hashName,
      pages: id.refine((pages) => pages <= most, { error: tooMany(most) }),
      pattern: z
        .string({ error: 'Skriv, hvad filerne skal hedde.' })
        .max(MOST_PATTERN, { error: `Filnavnet må højst være på ${MOST_PATTERN} tegn.`, abort: true })
        .superRefine((pattern, context) => {
          const fault = patternFault(pattern)
          if (fault !== null) context.addIssue({ code: 'custom', message: fault })
        }),
      left_out: ranges(most).default([]),
      original: z.union([z.literal('').transform(() => null), id]).default(null),
      parts: z
        .record(z.string().regex(/^[a-z0-9]{1,40}$/), z.unknown(), {
          error: 'Giv mindst én side til en investor.',
        })
        .refine((all) => Object.keys(all).length <= mostParts, {
          error: `Der kan højst gemmes ${formatCount(mostParts)} filer ad gangen.`,
        }),
    })

const partOf = (most: number) => z.object({ user_id: id, pages: ranges(most) })

type Sent = Omit<z.output<ReturnType<typeof splitFormOf>>, 'parts'> & {
  parts: [id: string, part: z.output<ReturnType<typeof partOf>>][]
}

function readForm(sent: Sent, timeZone: string): SentSplit {
  const parts = sent.parts.map(([each, part]) => ({ id: each, userId: part.user_id, pages: part.pages }))
  const faults = planFaults(parts, sent.left_out, sent.pages)
  const seen = new Set<number>()
  for (const { id: each, userId, pages } of parts) {
    if (pages.length === 0) faults[`parts.${each}.pages`] = ['Der er ingen sider i denne del.']
    if (seen.has(userId)) faults[`parts.${each}.user_id`] = ['Investoren er med to gange.']
    seen.add(userId)
  }
  if (parts.length === 0) faults.parts = ['Giv mindst én side til en investor.']
  const read = readPublishing(sent, new Date(), timeZone)
  if ('faults' in read) Object.assign(faults, read.faults)
  if (Object.keys(faults).length > 0 || 'faults' in read) throw invalid(faults)
  return {
    key: sent.submission ?? randomUUID(),
    hashName: sent.file,
    pages: sent.pages,
    parts,
    leftOut: sent.left_out,
    pattern: sent.pattern,
    original: sent.original,
    knownShared: sent.shared ?? null,
    publishing: read.publishing,
  }
}

const NO_PAGES = 'Siderne kan ikke læses.'

/** A list of pages as sent: '1-3,7'. */
function ranges(most: number) {
  return z
    .string({ error: NO_PAGES })
    .max(8 * most + 100, { error: NO_PAGES, abort: true })
    .transform((text, context) => {
      const pages = readRanges(text, most)
      if (pages) return pages
      context.addIssue({ code: 'custom', message: NO_PAGES })
      return z.NEVER
    })
}

const tooMany = (most: number) => `Der kan højst deles ${formatCount(most)} sider ad gangen.`

/** Is aborted when nobody waits for the answer any more. */
function signalOf(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  whenOver(request.raw, reply.raw, () => gone.abort())
  return gone.signal
}

/** Turns the fault of a PDF, or a lack of room for its parts, into a refusal. */
async function unlessUnfit<Result>(
  work: () => Promise<Result>,
  { most, limit = 0 }: { most?: Parameters<typeof noRoom>[3]; limit?: number } = {},
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const name = "PDF'ens dele"
    if (error instanceof Unreadable) throw invalid({ file: [FAULTS[error.fault] ?? error.message] })
    if (error instanceof MissingBytes) throw invalid({ file: [GONE] })
    if (error instanceof NoRoom && most) throw noRoom(error.of, 'file', name, most)
    if (error instanceof TooLarge) throw invalid({ file: [TEXTS.tooLarge('En af delene', limit)] })
    throw full(error, 'file', name)
  }
}

const FAULTS: Partial<Record<string, string>> = {
  locked: "PDF'en er låst eller beskyttet. Bed afsenderen om en uden beskyttelse.",
  damaged: "PDF'en er beskadiget, så den kan ikke deles.",
  slow: "Det tog for lang tid at læse PDF'en.",
  memory: "PDF'en kræver for meget hukommelse.",
  large: "PDF'en er for stor til at blive delt.",
}
