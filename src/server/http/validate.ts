import { z } from 'zod'
import { da } from 'zod/locales'
import { cleanCvr, isCvr } from '../../base/cvr.ts'
import { readDay } from '../../base/time/days.ts'
import { cleanLine, cleanLines, rawLength } from '../../base/text.ts'
import { breather } from '../process/breather.ts'
import { invalid } from './errors.ts'

// Sets the default message for faults without their own.
z.config(da())

/** Returns a form's values, or throws all faults at once by dotted field name, together with those found elsewhere. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  more: Record<string, string[]> = {},
): z.infer<Schema> {
  const result = schema.safeParse(formIn(body))
  if (result.success && Object.keys(more).length === 0) return result.data
  const errors: Record<string, string[]> = {}
  for (const { path, message } of result.error?.issues ?? []) (errors[path.join('.')] ??= []).push(message)
  throw invalid({ ...errors, ...more })
}

/** Returns a body's fields. Any other body has none. */
function formIn(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {}
}

/**
 * The same for a form with thousands of entries under `field`, each by its own key. Pauses between entries, so that
 * other requests get their turn. The form's schema leaves the entries out.
 */
export async function validateMany<Form extends z.ZodType, Item extends z.ZodType, Field extends string>(
  form: Form,
  field: Field,
  item: Item,
  body: unknown,
): Promise<Omit<z.infer<Form>, Field> & Record<Field, [key: string, item: z.infer<Item>][]>> {
  const outer = form.safeParse(formIn(body))
  const many = formIn(body)[field]
  const errors: Record<string, string[]> = {}
  const add = (path: string, message: string) => (errors[path] ??= []).push(message)
  for (const { path, message } of outer.error?.issues ?? []) add(path.join('.'), message)
  const items: [string, z.infer<Item>][] = []
  const breathe = breather()
  // The form's own schema reports a wrong or too long list.
  const entries =
    typeof many === 'object' && many !== null && errors[field] === undefined ? Object.entries(many) : []
  for (const [key, value] of entries) {
    await breathe()
    const result = item.safeParse(value)
    if (result.success) items.push([key, result.data])
    for (const { path, message } of result.error?.issues ?? []) add([field, key, ...path].join('.'), message)
  }
  if (!outer.success || Object.keys(errors).length > 0) throw invalid(errors)
  return { ...(outer.data as object), [field]: items } as Omit<z.infer<Form>, Field> &
    Record<Field, [string, z.infer<Item>][]>
}

/** One line of text: `line('Navnet')` refuses an empty text, other types, and more than `most` letters. */
export function line(what: string, most = 200) {
  const missing = `${what} skal udfyldes.`
  const tooLong = `${what} må højst være på ${most} tegn.`
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : `${what} skal være en tekst.`) })
    .max(rawLength(most), { error: tooLong, abort: true })
    .transform(cleanLine)
    .pipe(z.string().min(1, { error: missing, abort: true }).max(most, { error: tooLong, abort: true }))
}

/** A line that may be empty; `fault` is the message for other types. */
export function optionalLine(fault: string, most = 254, tooLong = 'Teksten er for lang.') {
  return z
    .string(fault)
    .max(rawLength(most), { error: tooLong, abort: true })
    .transform(cleanLine)
    .pipe(z.string().max(most, { error: tooLong, abort: true }))
}

/** Several lines, which may be empty. */
export function optionalLines(what: string, most: number) {
  const tooLong = `${what} må højst være på ${most} tegn.`
  return z
    .string({ error: `${what} skal være en tekst.` })
    .max(rawLength(most), { error: tooLong, abort: true })
    .transform(cleanLines)
    .pipe(z.string().max(most, { error: tooLong, abort: true }))
    .default('')
}

/** Several lines, with a word in them. */
export function lines(what: string, most: number) {
  return optionalLines(what, most).refine((text) => text !== '', { error: `${what} skal udfyldes.` })
}

const isEmail = (text: string) => /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
const NO_EMAIL = 'Skriv en gyldig e-mailadresse.'

export const email = line('E-mail', 254).refine(isEmail, { error: NO_EMAIL })

/** An e-mail address, or ''. */
export const optionalEmail = optionalLine('E-mail skal være en tekst.').refine(
  (text) => text === '' || isEmail(text),
  { error: NO_EMAIL },
)

/** A password as it was typed, not trimmed. Its strength is checked elsewhere. */
export function passwordCalled(what: string) {
  const missing = `${what} skal udfyldes.`
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : `${what} skal være en tekst.`) })
    .min(1, { error: missing, abort: true })
    .max(1000, `${what} er for lang.`)
}

export const password = passwordCalled('Adgangskoden')

const NO_CVR = 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'

/** A company's CVR number, or none. */
export const optionalCvr = z
  .string({ error: 'CVR-nummeret skal være en tekst.' })
  .max(rawLength(20), { error: NO_CVR, abort: true })
  .transform((text) => cleanCvr(cleanLine(text)) || null)
  .refine((cvr) => cvr === null || isCvr(cvr), {
    error: NO_CVR,
  })

/** A check box: present and on, or absent. */
export const flag = z
  .union([z.boolean(), z.enum(['1', 'on', 'true', '0', 'false', ''])], {
    error: 'Feltet skal være slået til eller fra.',
  })
  .default(false)
  .transform((value) => value === true || ['1', 'on', 'true'].includes(String(value)))
  .meta({ shown: { type: 'boolean', default: false } })

/** `names[0]`, `names[1]` …, or a single value. Empty values are left out. */
export function list<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(
    (value) => itemsOf(value).filter((each) => !isBlank(each)),
    z.array(item).max(most, `Der kan højst være ${most}.`),
  )
}

/** Whether a text is blank. A text that is too long counts as not blank, and gets its own message. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.length <= rawLength(200) && cleanLine(value) === ''
}

function itemsOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? Object.values(value) : [value]
}

/** The id of a row in a form. `shown` is how the API's description says it. */
export const id = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,16}$/)
        .transform(Number),
    ],
    { error: 'Feltet skal være et id.' },
  )
  .refine((number) => Number.isSafeInteger(number) && number > 0, { error: 'Feltet skal være et id.' })
  .meta({ shown: { type: 'integer', minimum: 1 } })

/** A day as people write it; null for none. */
export const optionalDay = optionalLine(
  'Datoen skal være en tekst.',
  40,
  'Skriv datoen som dd/mm/åååå.',
).transform((text, context) => {
  const read = readDay(text)
  if ('day' in read) return read.day
  context.addIssue({ code: 'custom', message: read.fault })
  return z.NEVER
})

/** A whole number, which a form sends as a text. */
export function numberBetween(least: number, most: number, error: string) {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\s*\d{1,4}\s*$/)
          .transform(Number),
      ],
      { error },
    )
    .refine((number) => Number.isInteger(number) && number >= least && number <= most, { error })
}

/** A month by its number. */
export const monthNumber = numberBetween(1, 12, 'Vælg en måned.')
