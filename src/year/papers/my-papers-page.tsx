import { FileUp } from 'lucide-react'
import type { Client } from '../../access/lent.ts'
import { useReadFiles } from '../../files/content/use-read-files.ts'
import { FILE_ICONS } from '../../files/file/file-icons.tsx'
import { may } from '../../rights.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { useLive } from '../../ui/live/use-live.ts'
import { AskOffice } from '../../ui/shell/ask-office.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { changesOf, urls } from '../../urls.ts'
import { PapersFilters } from './papers-filters.tsx'
import { PapersOfYear } from './papers-of-year.tsx'
import { ALL_PAPERS, writePapersQuery, type PapersQuery } from './papers-query.ts'
import type { Packages, PaperProject, PaperYear } from './papers.ts'

export type MyPapersPageProps = {
  query: PapersQuery
  /** All years that have something; null for papers without a year. */
  years: (number | null)[]
  open: PaperYear[]
  /** The projects to choose among. */
  projects: PaperProject[]
  /** For an adviser: the people whose papers they see. */
  clients: Client[]
  /** Null if no package is offered. */
  packages: Packages | null
}

/** Everything that is the reader's, their own and shared, newest first. */
export function MyPapersPage({ query, years, open, projects, clients, packages }: MyPapersPageProps) {
  const { role } = useFrame().user!
  // As the start page: one's own files too.
  useLive(changesOf('start'), refreshPage)
  const reading = useReadFiles()
  const project = projects.find(({ id }) => id === query.project)
  return (
    <Shell
      title="Papirer"
      actions={
        may(role, 'haveOwnFiles') && (
          <LinkButton kind="secondary" href={`${urls.myFiles}#send`} icon={FileUp}>
            Send filer til kontoret
          </LinkButton>
        )
      }
    >
      <IconSprite icons={FILE_ICONS} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <PapersFilters {...{ query, years, projects, clients }} />
        {project && (
          <p>
            <a href={urls.files(project.id)} className={LINK}>
              Gå til {project.name}
            </a>
          </p>
        )}
        {query.q !== '' && (
          <p>
            <a href={`${urls.search}?q=${encodeURIComponent(query.q)}`} className={LINK}>
              Søg også inde i papirerne
            </a>
          </p>
        )}
        {open.map((each) => (
          <PapersOfYear key={each.year} {...{ ...each, query, packages, ...reading }} />
        ))}
        {open.length === 0 && <Nothing query={query} />}
        {query.year === null && <Older {...{ query, years: years.slice(open.length) }} />}
        <AskOffice />
      </div>
    </Shell>
  )
}

const LINK =
  'text-accent underline underline-offset-2 hover:text-accent-strong pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center'

/** Links to the years that are not open. */
function Older({ query, years }: Pick<MyPapersPageProps, 'query' | 'years'>) {
  if (years.length === 0) return null
  return (
    <nav aria-label="Andre år" className="flex flex-wrap items-center gap-x-4 gap-y-1 print:hidden">
      {years.map((year) => (
        <a
          key={year}
          href={urls.papersPage + writePapersQuery({ ...query, year: year ?? 'none' })}
          className={`inline-flex min-h-6 items-center tabular-nums ${LINK}`}
        >
          {year ?? 'Uden år'}
        </a>
      ))}
    </nav>
  )
}

function Nothing({ query }: { query: PapersQuery }) {
  const isFiltered = writePapersQuery(query) !== ''
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState
        text={
          isFiltered ? 'Intet fundet...' : 'Ingen papirer endnu. Det, kontoret lægger til dig, kommer her.'
        }
      >
        {isFiltered && (
          <a href={urls.papersPage + writePapersQuery(ALL_PAPERS)} className={LINK}>
            Vis alle papirer
          </a>
        )}
      </EmptyState>
    </div>
  )
}
