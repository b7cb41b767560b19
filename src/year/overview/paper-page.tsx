import { FileUp } from 'lucide-react'
import { periodKeyText } from '../../base/time/period.ts'
import { writeDay } from '../../base/time/days.ts'
import { FileLink } from '../../files/content/file-link.tsx'
import { Chip } from '../../ui/basic/chip.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { folderAnchor, urls } from '../../urls.ts'
import { ExcuseForm } from '../obligations/excuse-form.tsx'
import { ALL_DUTIES, writeDutyQuery } from '../obligations/duty.ts'
import { stateName, wantedName, type CellState } from './overview.ts'
import type { Paper, PaperFile } from './paper.ts'
import { STATE_ICONS } from './state-icons.tsx'

export type PaperPageProps = {
  paper: Paper
}

/** A folder's papers of one period: the files, who has opened them, and whether it is excused. */
export function PaperPage({ paper: { project, cell, excused, files } }: PaperPageProps) {
  const folder = `${urls.files(project.id)}?open=${cell.folder}#${folderAnchor(cell.folder!)}`
  const upload = `${urls.uploadTo(project.id, cell.folder!)}?name=${encodeURIComponent(wantedName(cell, project.number))}`
  return (
    <Shell
      title={`${cell.name} ${periodKeyText(cell.period, cell.crosses_new_year)}`}
      above={`Projekt ${project.number} · ${project.name}`}
      aboveHref={urls.files(project.id)}
      crumbs={[
        {
          text: 'Året',
          href: urls.year + writeDutyQuery({ ...ALL_DUTIES, year: Number(cell.period.slice(0, 4)) }),
        },
      ]}
      actions={
        <LinkButton href={upload} icon={FileUp} {...(files.length > 0 && { kind: 'secondary' as const })}>
          Upload
        </LinkButton>
      }
    >
      <div className="grid gap-4">
        <section aria-label="Status" className="rounded-card border border-line bg-surface">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
            <Chip
              text={stateName(cell.state, true, files.length > 0)}
              tone={TONES[cell.state]}
              icon={STATE_ICONS[cell.state]}
            />
            <span className="text-muted">
              {cell.due_on === null ? 'Der forventes ikke noget papir.' : `Senest ${writeDay(cell.due_on)}.`}
              {cell.state === 'unfollowed' && ' Det er før den dag, projektet følges fra.'}
            </span>
          </p>
          {files.length > 0 && (
            <ul aria-label="Filer" className="divide-y divide-line border-t border-line">
              {files.map((file) => (
                <FileItem key={file.id} project={project.id} file={file} />
              ))}
            </ul>
          )}
          <p className="border-t border-line px-4 py-3">
            <a href={folder} className="text-accent underline underline-offset-2">
              {cell.files > files.length ? `Alle ${cell.files} filer i mappen` : `Åbn mappen ${cell.name}`}
            </a>
          </p>
        </section>
        {cell.duty !== null && cell.files === 0 && cell.state !== 'done' && (
          <section
            aria-labelledby="excuse"
            className="grid gap-3 rounded-card border border-line bg-surface px-4 py-4"
          >
            <h2 id="excuse" className="text-section font-semibold">
              {excused ? 'Undtaget' : 'Kommer papiret ikke?'}
            </h2>
            {excused && (
              <>
                <p className="wrap-anywhere whitespace-pre-line">{cell.excuse}</p>
                <p className="text-muted">
                  {excused.by && `${excused.by}, `}
                  <ShortDate at={excused.at} />
                </p>
              </>
            )}
            <ExcuseForm duty={cell.duty} excuse={cell.excuse} />
          </section>
        )}
      </div>
    </Shell>
  )
}

const TONES: Record<CellState, 'ok' | 'warn' | 'accent' | 'neutral'> = {
  done: 'ok',
  draft: 'accent',
  excused: 'neutral',
  unfollowed: 'neutral',
  late: 'warn',
  missing: 'warn',
  coming: 'neutral',
  'not-yet': 'neutral',
}

function FileItem({ project, file }: { project: number; file: PaperFile }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <FileLink owner={{ project }} file={file} className="basis-48" />
      {file.is_held_back ? (
        <Chip text="Kladde" tone="accent" icon={STATE_ICONS.draft} />
      ) : (
        <span className="text-muted tabular-nums">
          {file.reached === 0
            ? 'Ingen uden for kontoret kan se den'
            : `Læst af ${file.opened} af ${file.reached}`}
        </span>
      )}
      <ShortDate at={file.shown_at} className="text-muted tabular-nums" />
    </li>
  )
}
