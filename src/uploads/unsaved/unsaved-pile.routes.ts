import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isReadable } from '../../base/text.ts'
import { PUBLISHING_WAYS } from '../../releases/release/release.ts'
import { invalid } from '../../server/http/errors.ts'
import { userOf } from '../../server/http/permit.ts'
import { validate, validateMany } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { isUnfit, MOST_LETTERS } from '../../files/names/file-name.ts'
import { isPileStored, MOST_AT_ONCE, PILE_KEY, sinceText, type UnsavedSummary } from './unsaved-pile.ts'
import { discardPiles, findUnsavedPile, keepPile, listUnsavedFiles } from './unsaved-pile.db.ts'

/** How many files are kept for a person in all, counted in full forms. */
const MOST_FORMS = 5

const UNREADABLE = 'Feltet kan ikke læses.'
const form = z.string(UNREADABLE).max(200, UNREADABLE).refine(isPileStored, UNREADABLE)
const key = z.string(UNREADABLE).regex(PILE_KEY, UNREADABLE)

/** Keeps piles of files that are not saved yet for their person, and gives them back. */
export function addUnsavedPiles(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  const mostFiles = config.maxFilesPerSubmit
  const change = { config: { right: 'changeFiles' } } as const

  const Change = z.object({
    form,
    pile: key,
    publishing: z.object({
      way: z.enum(PUBLISHING_WAYS, UNREADABLE),
      day: z.string().max(40, UNREADABLE).nullable(),
      time: z.string().max(10, UNREADABLE),
    }),
    files: z
      .record(z.string().regex(/^[a-z0-9]{1,40}$/, UNREADABLE), z.unknown(), { error: UNREADABLE })
      .refine((files) => Object.keys(files).length <= MOST_AT_ONCE, {
        error: `Der kan højst gemmes ${MOST_AT_ONCE} filer ad gangen.`,
      }),
    gone: z
      .array(z.string().regex(/^[0-9a-f]{16}\.[a-z0-9]{1,40}$/, UNREADABLE), { error: UNREADABLE })
      .max(2 * mostFiles, 'Der er for mange filer.'),
  })
  const name = z
    .string()
    .min(1)
    .max(MOST_LETTERS, `Filnavnet må højst være på ${MOST_LETTERS} tegn.`)
    .refine((text) => isReadable(text) && !text.includes('\0'), UNREADABLE)
  const SentFile = z.object({
    name: name.refine((text) => !isUnfit(text), UNREADABLE),
    original: name,
    size: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    hash_name: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .nullable(),
    choice: z.enum(['version', 'keep', 'skip']).nullable(),
    meaning: z.enum(['project', 'person']).nullable(),
    acknowledged: z.array(z.string().regex(/^[a-z]{1,8}$/)).max(8),
  })
  const keeping = {
    config: { ...change.config, mostFields: 16 * MOST_AT_ONCE + 2 * mostFiles + 100, takesAnyText: true },
    bodyLimit: 3600 * MOST_AT_ONCE + 150 * mostFiles,
  } as const

  app.post(urls.unsavedPile, keeping, async (request, reply) => {
    const { files, ...rest } = await validateMany(Change, 'files', SentFile, request.body)
    await keepPile(db, userOf(request), { ...rest, files: Object.fromEntries(files) }, MOST_FORMS * mostFiles)
    return reply.code(204).send()
  })

  app.get(urls.unsavedPile, change, async (request, reply) =>
    reply.send(await listUnsavedFiles(db, userOf(request), formOf(request), mostFiles, pileOf(request))),
  )

  const Thrown = z.object({ form, piles: z.array(key, { error: UNREADABLE }).min(1).max(100, UNREADABLE) })
  app.post(urls.discardPile, change, async (request, reply) => {
    const thrown = validate(Thrown, request.body)
    await discardPiles(parts, userOf(request), thrown.form, thrown.piles)
    return reply.code(204).send()
  })
}

function formOf({ query }: FastifyRequest): string {
  const { form: told } = query as Record<string, unknown>
  const read = form.safeParse(told)
  if (!read.success) throw invalid({ form: [UNREADABLE] })
  return read.data
}

/** Returns the pile that an address asks for; null if it asks for none. */
function pileOf({ query }: FastifyRequest): string | null {
  return key.safeParse((query as Record<string, unknown>).pile).data ?? null
}

/** Returns what the page of a form says about the pile that was left in it, or about the one that its address asks for. */
export async function summariseUnsaved(
  request: FastifyRequest,
  { db, config }: Pick<Parts, 'db' | 'config'>,
): Promise<UnsavedSummary | null> {
  const [address] = request.url.split('?') as [string]
  const pile = pileOf(request)
  const asked = pile === null ? null : await findUnsavedPile(db, userOf(request), address, pile)
  const found = asked ?? (await findUnsavedPile(db, userOf(request), address))
  if (!found) return null
  const { changedAt, ...kept } = found
  return {
    ...kept,
    since: sinceText(changedAt, new Date(), config.timeZone),
    ...(asked && { isAsked: true }),
  }
}
