import { formatCount } from '../../base/danish/counts.ts'
import { dayText } from '../../base/time/holidays.ts'
import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'
import { distanceText, dutyTitle, type Duty } from './duty.ts'

type MailedDuty = Pick<Duty, 'title' | 'period' | 'starts_on' | 'ends_on' | 'due_on' | 'project'>

/** Most duties named in a mail. */
export const MOST_NAMED_DUTIES = 30

export const NO_ADVICE =
  'Listen over frister er en hjælp til at huske dem, og ikke juridisk rådgivning. Kontroller selv, hvad der gælder for det enkelte selskab.'

/** The first of the duties by their last day, and how many there are, and are late. */
type DutyMailContent = { duties: MailedDuty[]; total: number; late: number }

/** Mails somebody the duties they are responsible for that are late, or due soon. */
export function dutyMail(
  office: Office,
  to: { name: string; email: string },
  { duties, total, late: lateCount }: DutyMailContent,
  { link, today }: { link: string; today: string },
): ReturnType<typeof letter> {
  const late = duties.filter(({ due_on: due }) => due < today)
  const soon = duties.filter(({ due_on: due }) => due >= today)
  const first = soon[0]
  return letter(office, {
    to,
    subject:
      lateCount > 0
        ? `${countDuties(lateCount)} er ${lateCount === 1 ? 'forsinket' : 'forsinkede'}`
        : total === 1 && first
          ? `Frist: ${dutyTitle(first)} for ${first.project.name}`
          : `${countDuties(total)} nærmer sig`,
    link,
    action: 'Se dine frister',
    before: [
      'Du er ansvarlig for disse frister.',
      ...(late.length > 0 ? [['Forsinket:', ...late.map((duty) => lineOf(duty, today))].join('\n')] : []),
      ...(soon.length > 0 ? [['Nærmer sig:', ...soon.map((duty) => lineOf(duty, today))].join('\n')] : []),
      ...(total > duties.length ? [`… og ${countDuties(total - duties.length)} mere.`] : []),
    ],
    after: `Er noget gjort, så marker det som udført, eller læg papiret i mappen. ${NO_ADVICE}`,
  })
}

const countDuties = (many: number) => `${formatCount(many)} ${many === 1 ? 'frist' : 'frister'}`

function lineOf(duty: MailedDuty, today: string): string {
  const { number, name } = duty.project
  const distance = distanceText(duty.due_on, today)
  return `– ${dutyTitle(duty)}, ${number} ${name}: ${dayText(duty.due_on)}, ${distance[0]!.toLowerCase()}${distance.slice(1)}`
}
