import { CalendarClock, TriangleAlert } from 'lucide-react'
import { writeDay } from '../../base/time/days.ts'
import { urls } from '../../urls.ts'
import {
  ALL_DUTIES,
  distanceText,
  dutyTitle,
  writeDutyQuery,
  type Duty,
} from '../../year/obligations/duty.ts'

/** Lists what has a last day; each row leads to where it is done. */
export function DueList({ rows, today }: { rows: Duty[]; today: string }) {
  return (
    <ul>
      {rows.map((duty) => (
        <DueItem key={duty.id} duty={duty} today={today} />
      ))}
    </ul>
  )
}

function DueItem({ duty, today }: { duty: Duty; today: string }) {
  const { project, folder, due_on: dueOn } = duty
  const responsible = duty.responsible?.is_active ? duty.responsible.name : null
  const isLate = dueOn < today
  const Icon = isLate ? TriangleAlert : CalendarClock
  return (
    <li className="relative flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 last:border-0 hover:bg-hover">
      <Icon
        size={16}
        strokeWidth={1.75}
        aria-hidden="true"
        className={`shrink-0 ${isLate ? 'text-danger' : 'text-muted'}`}
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <span className="min-w-0 flex-auto basis-52 wrap-anywhere">
          <a
            href={folder === null ? ofProject(project) : urls.uploadTo(project.id, folder.id)}
            className="font-medium after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            {dutyTitle(duty)}
          </a>
          <span className="block text-meta text-muted">
            <span className="tabular-nums">{project.number}</span> {project.name}
            {responsible !== null && ` · ${responsible}`}
          </span>
        </span>
        <span className={`text-meta tabular-nums ${isLate ? 'text-danger' : 'text-muted'}`}>
          {distanceText(dueOn, today)} · {writeDay(dueOn)}
        </span>
      </span>
    </li>
  )
}

const ofProject = ({ number }: { number: string }) =>
  urls.yearList + writeDutyQuery({ ...ALL_DUTIES, q: number })
