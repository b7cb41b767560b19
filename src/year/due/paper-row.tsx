import { FileUp } from 'lucide-react'
import { urls } from '../../urls.ts'
import type { DuePaper } from './due.ts'
import { DUE_ROW, LastDay } from './last-day.tsx'

/** A paper that has not come. Its page says more, and excuses it. */
export function PaperRow({ paper, today }: { paper: DuePaper; today: string }) {
  const { title, project, folder, period, due_on: dueOn } = paper
  return (
    <li className={`px-4 py-3 ${DUE_ROW}`}>
      <div className="min-w-0">
        <a
          href={urls.paper(folder.id, period)}
          className="block min-h-6 w-fit font-medium wrap-anywhere underline-offset-2 hover:text-accent hover:underline"
        >
          {title}
        </a>
        <a
          href={urls.files(project.id)}
          className="block min-h-6 w-fit text-muted wrap-anywhere underline-offset-2 hover:text-accent hover:underline"
        >
          {project.number} {project.name}
        </a>
      </div>
      <div className="min-w-0">
        <LastDay dueOn={dueOn} today={today} />
      </div>
      <p className="text-muted">Papiret er ikke kommet</p>
      <a
        href={urls.uploadTo(project.id, folder.id)}
        aria-label={`Upload ${title}, ${project.name}`}
        className="inline-flex min-h-8 items-center gap-1 justify-self-start text-accent hover:underline pointer-coarse:min-h-11 md:-my-1 md:self-start md:justify-self-end print:hidden"
      >
        <FileUp size={16} strokeWidth={1.75} aria-hidden="true" />
        Upload
      </a>
    </li>
  )
}
