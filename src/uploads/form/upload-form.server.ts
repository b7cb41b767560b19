import { z } from 'zod'
import { rawLength } from '../../base/text.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { id, line } from '../../server/http/validate.ts'
import { PUBLISHING_WAYS } from '../../releases/release/release.ts'
import { PILE_KEY } from '../unsaved/unsaved-pile.ts'
import { isUnfit, MOST_LETTERS, simpleName, unfitText } from '../../files/names/file-name.ts'

const anyName = line('Filnavnet', MOST_LETTERS).refine((name) => name !== '.' && name !== '..', {
  error: 'Filen skal have et navn.',
})

const text = z
  .string({ error: 'Filnavnet skal udfyldes.' })
  .max(rawLength(MOST_LETTERS), { error: `Filnavnet må højst være på ${MOST_LETTERS} tegn.`, abort: true })

const NAMES = {
  /** Refuses characters that no file name may have. */
  strict: text
    .refine((name) => !isUnfit(name), { error: ({ input }) => unfitText(String(input)), abort: true })
    .pipe(anyName),
  /** S5.5: removes them instead. */
  simple: text.transform(simpleName).pipe(anyName),
}

/** Identifies one submission of a form. */
export const SUBMISSION = /^[\w-]{8,64}$/

/** At most this many ids in `shared` and `keep`: one for each file. */
const MOST_NAMED = 3000

/** A list as sent: '3,7'. Each takes so many letters at most. */
const listOf = (pattern: RegExp, letters: number) =>
  z
    .string()
    .max(letters * MOST_NAMED, { error: 'Feltet kan ikke læses.', abort: true })
    .regex(pattern, 'Feltet kan ikke læses.')
    .transform((items) => items.split(',').filter(Boolean))

/** An upload form as sent: S3.4. The page's type of a file is ignored. */
export const formOf = (most: number) =>
  z.object({
    submission: z.string().regex(SUBMISSION, 'Formularens nummer kan ikke læses.').optional(),
    /** The pile that the page has kept meanwhile. */
    pile: z.string().regex(PILE_KEY, 'Feltet kan ikke læses.').optional(),
    /** The files that are left out: they stay in the pile. */
    rest: listOf(/^(?:[a-z0-9]{1,40}(?:,[a-z0-9]{1,40})*)?$/, 41).optional(),
    /** The folders that the page showed as shared with investors; absent if it did not say. */
    shared: listOf(/^(?:\d{1,15}(?:,\d{1,15})*)?$/, 16)
      .transform((ids) => ids.map(Number))
      .optional(),
    /** How the files are published; at once if the page did not say. */
    publish: z.enum(PUBLISHING_WAYS, { error: 'Vælg, hvordan filerne skal udgives.' }).optional(),
    publish_day: z.string().max(40, 'Skriv datoen som dd/mm/åååå.').optional(),
    publish_time: z.string().max(10, 'Skriv klokkeslættet som 09.00.').optional(),
    /** The files to store even if their folder has the same bytes; absent if the page did not say. */
    keep: listOf(/^(?:[a-z0-9]{1,40}(?:,[a-z0-9]{1,40})*)?$/, 41).optional(),
    /** The contradictions of papers that were seen, as '3:year'. */
    acknowledged: listOf(
      /^(?:[a-z0-9]{1,40}:[a-z]{1,12}(?:,[a-z0-9]{1,40}:[a-z]{1,12})*)?$/,
      50 * 4,
    ).optional(),
    files: z
      .record(z.string().regex(/^[a-z0-9]{1,40}$/, 'Filens nummer kan ikke læses.'), z.unknown(), {
        error: 'Vælg mindst én fil.',
      })
      .refine((files) => Object.keys(files).length > 0, { error: 'Vælg mindst én fil.' })
      .refine((files) => Object.keys(files).length <= most, {
        error: `Der kan højst sendes ${formatCount(most)} filer ad gangen.`,
      }),
  })

/** One file of the form. */
export const entryOf = (names: keyof typeof NAMES) =>
  z.object({
    name: NAMES[names],
    data: z
      .string({ error: 'Filen er ikke sendt endnu.' })
      .regex(/^[0-9a-f]{32}$/, 'Filen er ikke sendt endnu.'),
    folder_id: id.optional(),
    folder: z
      .string({ error: 'Mappens navn skal være en tekst.' })
      .max(255, 'Mappens navn er for langt.')
      .optional(),
    user_id: id.optional(),
    /** The file that it is a new version of. */
    replaces: id.optional(),
  })
