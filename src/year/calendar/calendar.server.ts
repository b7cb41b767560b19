import ical, { ICalEventTransparency } from 'ical-generator'
import { dayOffName, dayText, workdayFrom } from '../../base/time/holidays.ts'
import { urls } from '../../urls.ts'
import { NO_ADVICE } from '../obligations/duty-mail.ts'
import { ALL_DUTIES, dutyTitle, writeDutyQuery, type Duty } from '../obligations/duty.ts'

const REFRESH_SECONDS = 3600

/** Writes what is due as a calendar (RFC 5545): each is a whole day, on its last day, and makes nobody busy. */
export function writeCalendar(
  duties: Duty[],
  { appUrl, office, today }: { appUrl: string; office: string; today: string },
): string {
  const calendar = ical({
    name: office === '' ? 'Frister' : `Frister – ${office}`,
    prodId: { company: 'Ringbind', product: 'Frister', language: 'DA' },
    ttl: REFRESH_SECONDS,
  })
  const { host } = new URL(appUrl)
  for (const duty of duties) {
    const { id, project, due_on: dueOn } = duty
    calendar.createEvent({
      id: `duty-${id}@${host}`,
      start: new Date(`${dueOn}T00:00:00Z`),
      allDay: true,
      stamp: new Date(`${today}T00:00:00Z`),
      summary: `${dutyTitle(duty)} · ${project.number} ${project.name}`,
      description: descriptionOf(duty),
      url: appUrl + urls.yearList + writeDutyQuery({ ...ALL_DUTIES, q: project.number }),
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar.toString()}\r\n` // RFC 5545: every line ends with a break, and the library leaves out the last
}

function descriptionOf({ due_on: day, obligation_id: rule, folder, explanation, source }: Duty): string {
  const isOff = dayOffName(day) !== null
  return [
    `Frist: ${dayText(day)}${isOff ? `. Den første hverdag derefter er ${dayText(workdayFrom(day))}.` : ''}`,
    explanation,
    source && `Kilde: ${source}`,
    rule === null && `Der forventes et papir i mappen ${folder!.name}.`,
    NO_ADVICE,
  ]
    .filter(Boolean)
    .join('\n\n')
}
