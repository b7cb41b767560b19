import { z } from 'zod'
import { rawLength } from '../../base/text.ts'
import { formatCount } from '../../base/counts.ts'
import { id, line } from '../../server/http/validate.ts'
import { isUnfit, MOST_LETTERS, simpleName, unfitText } from '../names/file-name.ts'

const anyName = line('Filnavnet', MOST_LETTERS).refine((name) => name !== '.' && name !== '..', {
  error: 'Filen skal have et navn.',
})

const text = z
  .string({ error: 'Filnavnet skal udfyldes.' })
  .max(rawLength(MOST_LETTERS), { error: `Filnavnet må højst være på ${MOST_LETTERS} tegn.`, abort: true })

const NAMES = {
  /** What cannot be part of a name is refused. */
  strict: text
    .refine((name) => !isUnfit(name), { error: ({ input }) => unfitText(String(input)), abort: true })
    .pipe(anyName),
  /** S5.5: or it is left out. */
  simple: text.transform(simpleName).pipe(anyName),
}

/** What tells one sending of a form from another. */
export const SUBMISSION = /^[\w-]{8,64}$/

/** One of each file at most, in a list of folders or of files. */
const MOST_NAMED = 3000

/** An upload form as it is sent: S3.4. What the page says of a file's type is not asked. */
export const formOf = (most: number) =>
  z.object({
    submission: z.string().regex(SUBMISSION, 'Formularens nummer kan ikke læses.').optional(),
    /** The folders that the page has shown as shared with investors; absent when it has not said so. */
    shared: z
      .string()
      .max(16 * MOST_NAMED, { error: 'Feltet kan ikke læses.', abort: true })
      .regex(/^(?:\d{1,15}(?:,\d{1,15})*)?$/, 'Feltet kan ikke læses.')
      .transform((ids) => ids.split(',').filter(Boolean).map(Number))
      .optional(),
    /** The files to be stored even where the same bytes lie in their folder; absent when the page has not said so. */
    keep: z
      .string()
      .max(41 * MOST_NAMED, { error: 'Feltet kan ikke læses.', abort: true })
      .regex(/^(?:[a-z0-9]{1,40}(?:,[a-z0-9]{1,40})*)?$/, 'Feltet kan ikke læses.')
      .transform((ids) => ids.split(',').filter(Boolean))
      .optional(),
    files: z
      .record(z.string().regex(/^[a-z0-9]{1,40}$/, 'Filens nummer kan ikke læses.'), z.unknown(), {
        error: 'Vælg mindst én fil.',
      })
      .refine((files) => Object.keys(files).length > 0, { error: 'Vælg mindst én fil.' })
      .refine((files) => Object.keys(files).length <= most, {
        error: `Der kan højst sendes ${formatCount(most)} filer ad gangen.`,
      }),
  })

/** One file of it. */
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
  })
