import { writeDay } from '../../base/time/days.ts'
import type { FieldWords } from '../../server/edits.ts'
import { STATUS_NAMES } from '../../projects/project/project.ts'
import {
  DUE_FIELDS,
  dueRuleText,
  HELD_FIELDS,
  NEW_OBLIGATION,
  RHYTHM_NAMES,
  type ObligationFields,
} from './obligation.ts'

type Field = keyof ObligationFields
type Due = Pick<ObligationFields, (typeof DUE_FIELDS)[number]>
type Held = Pick<ObligationFields, (typeof HELD_FIELDS)[number]>

/**
 * The values that the form of an obligation changes. The parts of its rule are one value, and so are its first and last
 * day.
 */
type ObligationValues = Omit<ObligationFields, keyof Due | keyof Held> & { due: Due; held: Held }

const pick = <Name extends Field>(from: ObligationFields, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<ObligationFields, Name>

const TOGETHER = new Set<string>([...DUE_FIELDS, ...HELD_FIELDS])
const ALONE = Object.keys(NEW_OBLIGATION).filter((name) => !TOGETHER.has(name)) as Exclude<
  Field,
  keyof Due | keyof Held
>[]

export const obligationValues = (from: ObligationFields): ObligationValues => ({
  ...pick(from, ALONE),
  due: pick(from, DUE_FIELDS),
  held: pick(from, HELD_FIELDS),
})

const sayDay = (day: string | null) => (day === null ? '' : writeDay(day))

export const obligationWords = (
  people: readonly { id: number; name: string }[],
  others: readonly { id: number; title: string }[] = [],
): FieldWords<ObligationValues> => ({
  title: 'Titel',
  explanation: 'Forklaring',
  source: 'Kilde',
  source_url: 'Kildens adresse på nettet',
  watched_from: { label: 'Følg frister fra', say: sayDay },
  reach: { label: 'Gælder for', say: (reach) => (reach === 'fitting' ? 'Alle, der passer' : 'De valgte') },
  statuses: { label: 'Status', say: (statuses) => statuses.map((each) => STATUS_NAMES[each]).join(', ') },
  more_than: 'Flere investorlogin end',
  folder_name: 'Mappe, hvis papir opfylder pligten',
  is_filing: 'Indberettes til en myndighed',
  unless_id: {
    label: 'Undtagen projekter med en anden pligt',
    say: (id) => (id === null ? '' : (others.find((each) => each.id === id)?.title ?? 'En anden pligt')),
  },
  responsible_id: {
    label: 'Ansvarlig',
    say: (id) =>
      id === null ? 'Ingen ansvarlig' : (people.find((each) => each.id === id)?.name ?? 'En anden'),
  },
  remind_days: 'Mail til den ansvarlige, dage før',
  is_active: 'Pligten er slået til',
  due: {
    label: 'Frist',
    say: (due) => `${RHYTHM_NAMES[due.rhythm]}: ${dueRuleText(due).toLowerCase()}`,
  },
  held: {
    label: 'Gælder for perioder, der slutter',
    say: ({ holds_since: since, holds_until: until }) =>
      [since && `fra ${sayDay(since)}`, until && `til ${sayDay(until)}`].filter(Boolean).join(' '),
  },
})
