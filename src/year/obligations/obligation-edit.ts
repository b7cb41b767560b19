import { writeDay } from '../../base/time/days.ts'
import type { FieldWords } from '../../server/edits.ts'
import { STATUS_NAMES } from '../../projects/project/project.ts'
import { dueRuleText, RHYTHM_NAMES, type ObligationFields } from './obligation.ts'

type Due = Pick<
  ObligationFields,
  'rhythm' | 'due_rule' | 'due_months' | 'due_day' | 'due_month' | 'due_days' | 'due_on' | 'after_days'
>
type Held = Pick<ObligationFields, 'holds_since' | 'holds_until'>

/**
 * The values that the form of an obligation changes. The parts of its rule are one value, and so are its first and last
 * day.
 */
type ObligationValues = Omit<ObligationFields, keyof Due | keyof Held> & { due: Due; held: Held }

export function obligationValues(from: ObligationFields): ObligationValues {
  const { title, explanation, source, source_url, watched_from, reach, statuses, more_than, folder_name } =
    from
  const { rhythm, due_rule, due_months, due_day, due_month, due_days, due_on, after_days } = from
  const { holds_since, holds_until, is_filing, unless_id, responsible_id, remind_days, is_active } = from
  return {
    title,
    explanation,
    source,
    source_url,
    watched_from,
    reach,
    statuses,
    more_than,
    folder_name,
    is_filing,
    unless_id,
    responsible_id,
    remind_days,
    is_active,
    due: { rhythm, due_rule, due_months, due_day, due_month, due_days, due_on, after_days },
    held: { holds_since, holds_until },
  }
}

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
