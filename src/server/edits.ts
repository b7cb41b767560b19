import { z } from 'zod'
import { invalid, Refusal, type ClashingField, type FormValues } from './http/errors.ts'

/** The values that a form sends about the row that it changes. */
export type Edit = {
  /** The values that the form was opened with. */
  was: FormValues
  /** The values that the form showed beside the person's own, after somebody else had changed them. */
  seen: FormValues
  /** Which of the two shall hold. */
  chosen: Readonly<Record<string, 'mine' | 'theirs'>>
}

/** A field's label, and the words for its value if they differ from the value. */
export type FieldWords<Fields> = {
  readonly [Name in keyof Fields]: string | { label: string; say: (value: Fields[Name]) => string }
}

/** The message above the fields of a form with a clash. */
export const CLASHING =
  'En anden har ændret det samme. Intet er gemt endnu. Vælg, hvad der skal gælde, og gem igen.'

type Settled<Fields> = { values: Fields; clashes: ClashingField[] }

/**
 * Joins what a form says with what the row says by now. A field that only one of the two has changed is taken from them; one
 * that both have changed to different values clashes until the person has seen both and chosen. Fields that `mine` leaves out
 * keep their value. Without `edit`, as programs may send a form, `mine` holds.
 */
export function joinEdits<Fields extends object>(
  edit: Edit | null,
  words: FieldWords<Fields>,
  mine: { [Name in keyof Fields]?: Fields[Name] | undefined },
  now: Fields,
): Settled<Fields> {
  const values = { ...now }
  const clashes: ClashingField[] = []
  for (const name of Object.keys(words) as (keyof Fields & string)[]) {
    const [own, theirs] = [mine[name], now[name]]
    if (own === undefined) continue
    const choice = edit && isSame(edit.seen[name], theirs) ? edit.chosen[name] : undefined
    if (edit && name in edit.was && choice === undefined) {
      const was = edit.was[name]
      if (isSame(own, was)) continue
      if (!isSame(theirs, was) && !isSame(own, theirs)) clashes.push(clashOf(name, words[name], own, theirs))
    }
    if (choice !== 'theirs') values[name] = own
  }
  return { values, clashes }
}

function clashOf<Value>(
  name: string,
  words: string | { label: string; say: (value: Value) => string },
  mine: Value,
  theirs: Value,
): ClashingField {
  const say = (value: Value) => (typeof words === 'string' ? sayPlainly(value) : words.say(value)) || EMPTY
  return {
    name,
    label: typeof words === 'string' ? words : words.label,
    mine: say(mine),
    theirs: say(theirs),
  }
}

const EMPTY = '(tomt)'

/** ['a', 'b'] becomes 'a, b', true becomes 'Ja'. */
function sayPlainly(value: unknown): string {
  if (Array.isArray(value)) return value.map(sayPlainly).join(', ')
  if (typeof value === 'boolean') return value ? 'Ja' : 'Nej'
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other)

/** A missing value equals null and an empty text. */
const textOf = (value: unknown) =>
  value === undefined || value === null || value === '' ? '' : JSON.stringify(value)

const RELOAD = 'Siden er ikke hentet rigtigt. Genindlæs den, og prøv igen.'

/** The same for an act that waits for a colleague. */
export const STORED_EDIT = z
  .strictObject({
    was: z.record(z.string(), z.unknown()),
    seen: z.record(z.string(), z.unknown()),
    chosen: z.record(z.string(), z.enum(['mine', 'theirs'])),
  })
  .nullable()
  .default(null)

/** The values that a program read before its change. */
export const WAS = z
  .union([z.string().max(10_000), z.record(z.string(), z.unknown())])
  .optional()
  .meta({
    description:
      'De værdier, som du læste, fx {"name": "Gammelt navn"}. Har en anden ændret dem siden, ændres intet, og svaret er 409 med begge i clash. Kan udelades; så gælder det, du sender.',
  })

/** Reads what a form says of the row that it was opened with; null if it says nothing, as programs may. */
export function editIn(body: unknown): Edit | null {
  const { was, seen, choose } = objectOf(body) ?? {}
  if (was === undefined || was === '') return null
  return { was: readValues(was), seen: readValues(seen ?? {}), chosen: readChoices(choose) }
}

/** A page sends a JSON text, a program may send an object. */
function readValues(sent: unknown): FormValues {
  const values = objectOf(typeof sent === 'string' ? parsed(sent) : sent)
  if (!values) throw invalid({ was: [RELOAD] })
  return values
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function readChoices(sent: unknown): Edit['chosen'] {
  const choices = Object.entries(objectOf(sent) ?? {}).flatMap(([name, choice]) =>
    choice === 'mine' || choice === 'theirs' ? [[name, choice] as const] : [],
  )
  return Object.fromEntries(choices)
}

/** Returns the values to save, or refuses with both values of each field that two people have changed. The row is locked. */
export function settle<Fields extends object>(
  edit: Edit | null,
  words: FieldWords<Fields>,
  mine: { [Name in keyof Fields]?: Fields[Name] | undefined },
  now: Fields,
): Fields {
  const { values, clashes } = joinEdits(edit, words, mine, now)
  if (clashes.length === 0) return values
  const shown = clashes.map(({ name }) => [name, now[name as keyof Fields]])
  const clash = { message: CLASHING, fields: clashes, now: Object.fromEntries(shown) as FormValues }
  throw Object.assign(new Refusal(409, CLASHING), { clash, more: { clash } })
}
