import ical, { ICalEventTransparency } from 'ical-generator'
import { dayOffName, dayText, workdayFrom } from '../../base/time/holidays.ts'
import { urls } from '../../urls.ts'
import { NO_ADVICE } from '../obligations/duty-mail.ts'
import { dueTitle, type Due } from '../due/due.ts'
import { ALL_DUTIES, writeDutyQuery } from '../obligations/duty.ts'

const REFRESH_SECONDS = 3600

/** Writes what is due as a calendar (RFC 5545): each is a whole day, on its last day, and makes nobody busy. */
export function writeCalendar(
  dues: Due[],
  { appUrl, office, today }: { appUrl: string; office: string; today: string },
): string {
  const calendar = ical({
    name: office === '' ? 'Frister' : `Frister – ${office}`,
    prodId: { company: 'Ringbind', product: 'Frister', language: 'DA' },
    ttl: REFRESH_SECONDS,
  })
  const { host } = new URL(appUrl)
  for (const due of dues) {
    const { project, due_on: dueOn } = 'duty' in due ? due.duty : due.paper
    calendar.createEvent({
      id: `${uidOf(due)}@${host}`,
      start: new Date(`${dueOn}T00:00:00Z`),
      allDay: true,
      stamp: new Date(`${today}T00:00:00Z`),
      summary: `${dueTitle(due)} · ${project.number} ${project.name}`,
      description: descriptionOf(due),
      url: appUrl + urls.obligations + writeDutyQuery({ ...ALL_DUTIES, q: project.number }),
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar.toString()}\r\n` // RFC 5545: every line ends with a break, and the library leaves out the last
}

const uidOf = (due: Due) =>
  'duty' in due ? `duty-${due.duty.id}` : `paper-${due.paper.folder.id}-${due.paper.period}`

function descriptionOf(due: Due): string {
  const { due_on: day } = 'duty' in due ? due.duty : due.paper
  const isOff = dayOffName(day) !== null
  return [
    `Frist: ${dayText(day)}${isOff ? `. Den første hverdag derefter er ${dayText(workdayFrom(day))}.` : ''}`,
    ...('duty' in due
      ? [due.duty.explanation, due.duty.source && `Kilde: ${due.duty.source}`]
      : [`Der forventes et papir i mappen ${due.paper.folder.name}.`]),
    NO_ADVICE,
  ]
    .filter(Boolean)
    .join('\n\n')
}
