import type { ReactNode } from 'react'
import { forText } from '../../access/lent.ts'
import { periodKeyText } from '../../base/time/period.ts'
import { countFiles } from '../../projects/folder.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { STATE_NAMES, tallyText, type OverviewCell, type OverviewRow } from './overview.ts'
import type { OwnPaper } from './own-papers.db.ts'
import { StateIcon } from './state-icons.tsx'

type Props = { rows: OverviewRow[]; own: { papers: OwnPaper[]; total: number }; year: number }

/** The papers of a year: those of one's projects, whether they have come or not, and one's own. */
export function MyPapers({ rows, own, year }: Props) {
  return (
    <div className="grid gap-4">
      {rows.map((row) => (
        <Card key={row.id} id={`project-${row.id}`} title={row.name} href={urls.files(row.id)} row={row}>
          {row.cells.map((cell) => (
            <ProjectPaper key={`${cell.folder} ${cell.period}`} project={row.id} cell={cell} />
          ))}
        </Card>
      ))}
      {own.papers.length > 0 && <OwnPapers own={own} year={year} />}
    </div>
  )
}

type CardProps = {
  id: string
  title: string
  href: string | null
  row?: OverviewRow
  children: ReactNode
}

function Card({ id, title, href, row, children }: CardProps) {
  return (
    <section aria-labelledby={id} className="break-inside-avoid rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
        <h2 id={id} className="min-w-0 text-section font-semibold wrap-anywhere">
          {href === null ? (
            title
          ) : (
            <a href={href} className="underline-offset-2 hover:text-accent hover:underline">
              {title}
            </a>
          )}
          {row && <span className="ml-2 text-body font-normal text-muted tabular-nums">{row.number}</span>}
        </h2>
        {row?.lent_by && <p className="text-meta text-muted">{forText(row.lent_by)}</p>}
        {row && row.expected > 0 && <p className="text-muted tabular-nums">{tallyText(row)} er kommet</p>}
      </div>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}

function ProjectPaper({ project, cell }: { project: number; cell: OverviewCell }) {
  const { folder, file, files } = cell
  const text = `${cell.name} ${periodKeyText(cell.period, cell.crosses_new_year)}`
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        {file && files === 1 ? (
          <a href={fileUrls.open({ project }, file.path)} {...IN_NEW_TAB} className={LINK}>
            {text}
          </a>
        ) : file ? (
          <a href={`${urls.files(project)}?open=${folder}#${folderAnchor(folder)}`} className={LINK}>
            {text}
          </a>
        ) : (
          text
        )}
        {files > 1 && <span className="ml-2 text-muted">{countFiles(files)}</span>}
      </span>
      <Come isThere={file !== null} />
    </li>
  )
}

const LINK =
  'font-medium text-accent underline-offset-2 hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center'

/** 'Kommet' or 'Ikke kommet endnu', with its icon. */
function Come({ isThere }: { isThere: boolean }) {
  return (
    <span className={`inline-flex items-center gap-1.5 ${isThere ? 'text-ok' : 'text-muted'}`}>
      <StateIcon state={isThere ? 'there' : 'not-yet'} />
      {isThere ? 'Kommet' : STATE_NAMES['not-yet']}
    </span>
  )
}

/** One's own files of the year; for an adviser those of each lender. */
function OwnPapers({ own: { papers, total }, year }: { own: Props['own']; year: number }) {
  const me = useFrame().user!.id
  return [...Map.groupBy(papers, ({ owner }) => owner.id)].map(([owner, theirs]) => (
    <Card
      key={owner}
      id={`person-${owner}`}
      title={owner === me ? 'Mine filer' : theirs[0]!.owner.name}
      href={owner === me ? urls.myFiles : urls.user(owner)}
    >
      {theirs.map((paper) => (
        <li key={paper.id} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
          <a
            href={fileUrls.open({ user: owner }, paper.path)}
            {...IN_NEW_TAB}
            className={`min-w-0 flex-1 basis-40 wrap-anywhere ${LINK}`}
          >
            {paper.name}
          </a>
          <Come isThere />
        </li>
      ))}
      {total > papers.length && (
        <li className="px-4 py-3 text-muted">
          Viser {papers.length} af {countFiles(total)} fra {year}.
        </li>
      )}
    </Card>
  ))
}
