import { z } from 'zod'
import { da } from 'zod/locales'
import { cleanCvr, isCvr } from '../../base/cvr.ts'
import { cleanLine, rawLength } from '../../base/text.ts'
import { breather } from '../process/breather.ts'
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

/**
 * The same for a form that has thousands of one kind under `field`, each by its own key: others have their turn between two of
 * them. The schema of the form says nothing of what they are.
 */
export async function validateMany<Form extends z.ZodType, Item extends z.ZodType, Field extends string>(
  form: Form,
  field: Field,
  item: Item,
  body: unknown,
): Promise<Omit<z.infer<Form>, Field> & Record<Field, [key: string, item: z.infer<Item>][]>> {
  const isForm = typeof body === 'object' && body !== null && !Array.isArray(body)
  const outer = form.safeParse(isForm ? body : {})
  const many: unknown = isForm ? (body as Record<string, unknown>)[field] : undefined
  const errors: Record<string, string[]> = {}
  const add = (path: string, message: string) => (errors[path] ??= []).push(message)
  for (const { path, message } of outer.error?.issues ?? []) add(path.join('.'), message)
  const items: [string, z.infer<Item>][] = []
  const breathe = breather()
  // What is no list of theirs, or has too many, is told by the form's own faults.
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

/** One line of text: `line('Navnet')` refuses none at all, something else than text, and more than `most`. */
export function line(what: string, most = 200) {
  const missing = `${what} skal udfyldes.`
  const tooLong = `${what} må højst være på ${most} tegn.`
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : `${what} skal være en tekst.`) })
    .max(rawLength(most), { error: tooLong, abort: true })
    .transform(cleanLine)
    .pipe(z.string().min(1, { error: missing, abort: true }).max(most, { error: tooLong, abort: true }))
}

/** A line that may be empty; `fault` for what is no text. */
export function optionalLine(fault: string, most = 254) {
  return z
    .string(fault)
    .max(rawLength(most), { error: 'Teksten er for lang.', abort: true })
    .transform(cleanLine)
    .pipe(z.string().max(most, 'Teksten er for lang.'))
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

const NO_CVR = 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'

/** A company's number, or none. */
export const optionalCvr = z
  .string({ error: 'CVR-nummeret skal være en tekst.' })
  .max(rawLength(20), { error: NO_CVR, abort: true })
  .transform((text) => cleanCvr(cleanLine(text)) || null)
  .refine((cvr) => cvr === null || isCvr(cvr), {
    error: NO_CVR,
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
    (value) => itemsOf(value).filter((each) => !isBlank(each)),
    z.array(item).max(most, `Der kan højst være ${most}.`),
  )
}

/** Whether nothing was written; a text that is too long is told to be so instead. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.length <= rawLength(200) && cleanLine(value) === ''
}

function itemsOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return typeof value === 'object' ? Object.values(value) : [value]
}

/** A row's id in a form. */
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
