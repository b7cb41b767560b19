import { z } from 'zod'
import { da } from 'zod/locales'
import { cleanCvr, isCvr } from '../base/cvr.ts'
import { cleanLine } from '../base/text.ts'
import { invalid } from './errors.ts'

// For whatever has no words of its own.
z.config(da())

/**
 * What a form's body says, once it is right; otherwise all faults at once, by dotted field name, together with those
 * that were found otherwise.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  more: Record<string, string[]> = {},
): z.infer<Schema> {
  const isForm = typeof body === 'object' && body !== null && !Array.isArray(body)
  const result = schema.safeParse(isForm ? body : {})
  if (result.success && Object.keys(more).length === 0) return result.data
  const errors: Record<string, string[]> = {}
  for (const { path, message } of result.error?.issues ?? []) (errors[path.join('.')] ??= []).push(message)
  throw invalid({ ...errors, ...more })
}

/** One line of text: `line('Navnet')` refuses none at all, something else than text, and more than `most`. */
export function line(what: string, most = 200) {
  const missing = `${what} skal udfyldes.`
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : `${what} skal være en tekst.`) })
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(1, { error: missing, abort: true })
        .max(most, { error: `${what} må højst være på ${most} tegn.`, abort: true }),
    )
}

export const email = line('E-mail', 254).refine(
  (text) => /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  {
    error: 'Skriv en gyldig e-mailadresse.',
  },
)

/** A password as it was typed: nothing is trimmed. Its quality is another question. */
export function passwordCalled(what: string) {
  const missing = `${what} skal udfyldes.`
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : `${what} skal være en tekst.`) })
    .min(1, { error: missing, abort: true })
    .max(1000, `${what} er for lang.`)
}

export const password = passwordCalled('Adgangskoden')

/** A company's number, or none. */
export const optionalCvr = z
  .string({ error: 'CVR-nummeret skal være en tekst.' })
  .transform((text) => cleanCvr(cleanLine(text)) || null)
  .refine((cvr) => cvr === null || isCvr(cvr), {
    error: 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.',
  })

/** A check box: there and on, or not there at all. */
export const flag = z
  .union([z.boolean(), z.enum(['1', 'on', 'true', '0', 'false', ''])], {
    error: 'Feltet skal være slået til eller fra.',
  })
  .default(false)
  .transform((value) => value === true || ['1', 'on', 'true'].includes(String(value)))

/** `names[0]`, `names[1]` …, or a single one; what was left empty is as if it was not there. */
export function list<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(
    (value) => itemsOf(value).filter((each) => !(typeof each === 'string' && cleanLine(each) === '')),
    z.array(item).max(most, `Der kan højst være ${most}.`),
  )
}

function itemsOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? Object.values(value) : [value]
}

/** A row's id in a form. */
export const id = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: 'Feltet skal være et id.' })
  .refine((number) => Number.isSafeInteger(number) && number > 0, { error: 'Feltet skal være et id.' })
