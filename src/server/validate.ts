import { z } from 'zod'
import { da } from 'zod/locales'
import { cleanLine } from '../base/text.ts'
import { invalid } from './errors.ts'

// For whatever has no words of its own.
z.config(da())

/** What a form's body says, once it is right; otherwise all faults at once, by dotted field name. */
export function validate<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const isForm = typeof body === 'object' && body !== null && !Array.isArray(body)
  const result = schema.safeParse(isForm ? body : {})
  if (result.success) return result.data
  const errors: Record<string, string[]> = {}
  for (const { path, message } of result.error.issues) (errors[path.join('.')] ??= []).push(message)
  throw invalid(errors)
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
export const password = z
  .string({
    error: (issue) =>
      issue.input === undefined ? 'Adgangskoden skal udfyldes.' : 'Adgangskoden skal være en tekst.',
  })
  .min(1, { error: 'Adgangskoden skal udfyldes.', abort: true })
  .max(1000, 'Adgangskoden er for lang.')
