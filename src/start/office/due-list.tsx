import { CalendarClock, TriangleAlert } from 'lucide-react'
import { writeDay } from '../../base/time/days.ts'
import { urls } from '../../urls.ts'
import { daysText, type Due } from './office-day.ts'

/** Lists what has a last day; each row leads to where it is done. */
export function DueList({ rows, today }: { rows: Due[]; today: string }) {
  return (
    <ul>
      {rows.map((due) => (
        <DueItem key={`${due.kind} ${due.project.id} ${due.title}`} due={due} today={today} />
      ))}
    </ul>
  )
}

function DueItem({ due, today }: { due: Due; today: string }) {
  const { title, project, folder, due_on: dueOn, responsible } = due
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
            href={folder === null ? urls.obligations : urls.uploadTo(project.id, folder)}
            className="font-medium after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            {title}
          </a>
          <span className="block text-meta text-muted">
            <span className="tabular-nums">{project.number}</span> {project.name}
            {responsible !== null && ` · ${responsible}`}
          </span>
        </span>
        <span className={`text-meta tabular-nums ${isLate ? 'text-danger' : 'text-muted'}`}>
          {daysText(dueOn, today)} · {writeDay(dueOn)}
        </span>
      </span>
    </li>
  )
}
