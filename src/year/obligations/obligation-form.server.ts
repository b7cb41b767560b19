import { z } from 'zod'
import { BACKWARDS, isBackwards, readDay } from '../../base/time/days.ts'
import { RHYTHMS, type Rhythm } from '../../base/time/period.ts'
import { STATUSES } from '../../projects/project/project.ts'
import { flag, id, line, list, optionalLine, optionalLines } from '../../server/http/validate.ts'
import {
  DUE_RULES,
  MOST_AFTER_DAYS,
  MOST_DAYS_BEFORE,
  MOST_MONTHS,
  MOST_REMINDERS,
  NEW_OBLIGATION,
  REACHES,
  type ObligationFields,
} from './obligation.ts'
import type { Choices } from './obligations.db.ts'

const MOST_PROJECTS = 1000

/** A text of digits, as a number between two, or null if it is empty. */
const whole = (from: number, to: number, fault: string) =>
  z
    .union([z.string().max(20), z.number()], { error: fault })
    .default('')
    .transform((value) => String(value).trim())
    .refine((text) => text === '' || (/^\d{1,6}$/.test(text) && Number(text) >= from && Number(text) <= to), {
      error: fault,
    })
    .transform((text) => (text === '' ? null : Number(text)))

/** A day as it was typed, as '2026-11-15', or null. */
const day = optionalLine('Skriv datoen som dd/mm/åååå.', 40, 'Skriv datoen som dd/mm/åååå.')
  .default('')
  .transform((text, context) => {
    const read = readDay(text)
    if ('day' in read) return read.day
    context.addIssue({ code: 'custom', message: read.fault })
    return null
  })

const REMINDERS = `Skriv højst ${MOST_REMINDERS} tal fra 0 til ${MOST_DAYS_BEFORE}, adskilt med komma.`

const DAYS_A_YEAR: Record<Rhythm, number> = { year: 1, half: 2, quarter: 4 }
const DUE_DAYS = 'Skriv dagene som 1/3, 1/6, 1/9, 1/12.'

/** '1/3, 1/9' as ['03-01', '09-01']. */
const daysOfYear = optionalLine(DUE_DAYS, 100, DUE_DAYS)
  .default('')
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .refine((parts) => parts.every((part) => 'day' in readDay(`${part}/2024`)), { error: DUE_DAYS })
  .transform((parts) => [...new Set(parts.map(dayOfYear))].sort())

/** '1/3' becomes '03-01'. A leap year has all days. */
function dayOfYear(part: string): string {
  const read = readDay(`${part}/2024`)
  return 'day' in read && read.day !== null ? read.day.slice(5) : ''
}

/** '30, 7, 1' as [30, 7, 1]; empty for none. */
const reminders = optionalLine(REMINDERS, 100, REMINDERS)
  .default('')
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .refine(
    (parts) =>
      parts.length <= MOST_REMINDERS &&
      parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= MOST_DAYS_BEFORE),
    { error: REMINDERS },
  )
  .transform((parts) => [...new Set(parts.map(Number))].sort((a, b) => b - a))

const address = optionalLine('Adressen skal være en tekst.', 500, 'Adressen er for lang.')
  .default('')
  .refine((text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text)), {
    error: 'Skriv en adresse, der begynder med https://.',
  })

const number = optionalLine(
  'Projektnummeret skal være en tekst.',
  50,
  'Projektnummeret er for langt.',
).default('')

const Form = z.object({
  title: line('Titlen', 100),
  explanation: optionalLines('Forklaringen', 2000),
  source: optionalLine('Kilden skal være en tekst.', 200, 'Kilden må højst være på 200 tegn.').default(''),
  source_url: address,
  rhythm: z.enum(RHYTHMS, { error: 'Vælg, hvor ofte.' }).default('year'),
  holds_since: day,
  holds_until: day,
  watched_from: day,
  due_rule: z.enum(DUE_RULES, { error: 'Vælg, hvordan fristen findes.' }),
  due_months: whole(0, MOST_MONTHS, `Skriv et tal fra 0 til ${MOST_MONTHS}.`),
  due_day: whole(1, 31, 'Skriv en dag fra 1 til 31.'),
  due_month: whole(1, 12, 'Vælg en måned.'),
  due_days: daysOfYear,
  due_on: day,
  after_days: whole(0, MOST_AFTER_DAYS, `Skriv et tal fra 0 til ${MOST_AFTER_DAYS}.`),
  reach: z.enum(REACHES, { error: 'Vælg, hvem pligten gælder for.' }),
  statuses: list(z.enum(STATUSES, { error: 'Vælg en status fra listen.' }), STATUSES.length),
  more_than: whole(0, 10_000, 'Skriv et tal fra 0 til 10.000.'),
  folder_name: optionalLine('Mappens navn skal være en tekst.', 100, 'Mappens navn er for langt.').default(
    '',
  ),
  is_filing: flag,
  unless_id: z
    .union([z.literal('').transform(() => null), id], { error: 'Vælg en pligt fra listen.' })
    .default(null),
  responsible_id: z
    .union([z.literal('').transform(() => null), id], { error: 'Vælg en på kontoret.' })
    .default(null),
  remind_days: reminders,
  is_active: flag,
  add_bound: list(id, MOST_PROJECTS),
  remove_bound: list(id, MOST_PROJECTS),
  add_bound_project: number,
  add_freed: list(id, MOST_PROJECTS),
  remove_freed: list(id, MOST_PROJECTS),
  add_freed_project: number,
})

type Read = { fields: ObligationFields; choices: Choices }

/** Reads the form of an obligation. Fields that its rule does not use may be empty. */
export const obligationForm = (today: string) =>
  Form.transform((form, context): Read => {
    const {
      add_bound: addBound,
      remove_bound: removeBound,
      add_bound_project: boundNumber,
      add_freed: addFreed,
      remove_freed: removeFreed,
      add_freed_project: freedNumber,
      ...fields
    } = form
    const need = (field: keyof typeof form, isMissing: boolean, message: string) => {
      if (isMissing) context.addIssue({ code: 'custom', path: [field], message })
    }
    const { due_rule: rule, holds_since: since, holds_until: until } = form
    need('due_months', rule === 'months' && form.due_months === null, 'Skriv antallet af måneder.')
    need('due_day', rule === 'day' && form.due_day === null, 'Skriv dagen.')
    need('after_days', rule === 'event' && form.after_days === null, 'Skriv antallet af dage.')
    const many = DAYS_A_YEAR[form.rhythm]
    need(
      'due_days',
      rule === 'days' && form.due_days.length !== many,
      `Skriv ${many} ${many === 1 ? 'dag' : 'dage'}, for eksempel 1/3.`,
    )
    need('due_on', rule === 'date' && form.due_on === null, 'Skriv datoen.')
    need('statuses', form.reach === 'fitting' && form.statuses.length === 0, 'Vælg mindst én status.')
    need('holds_until', isBackwards({ from: since, to: until }), BACKWARDS)
    return {
      fields: {
        ...fields,
        watched_from: form.watched_from ?? today,
        due_months: form.due_months ?? NEW_OBLIGATION.due_months,
        due_day: form.due_day ?? NEW_OBLIGATION.due_day,
        due_month: form.due_month ?? NEW_OBLIGATION.due_month,
        after_days: form.after_days ?? NEW_OBLIGATION.after_days,
      },
      choices: {
        bound: { add: addBound, remove: removeBound, addByNumber: boundNumber },
        freed: { add: addFreed, remove: removeFreed, addByNumber: freedNumber },
      },
    }
  })
