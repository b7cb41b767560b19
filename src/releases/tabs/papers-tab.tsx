import { Eye } from 'lucide-react'
import { useMemo } from 'react'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { FileLink } from '../../files/content/file-link.tsx'
import { FileMarks } from '../../files/file/file-marks.tsx'
import { Chip } from '../../ui/basic/chip.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { SearchTable } from '../../ui/list/search-table.tsx'
import { makeLate } from '../../ui/overlay/late.ts'
import { useLate } from '../../ui/overlay/use-late.ts'
import { folderAnchor, urls } from '../../urls.ts'
import { HeldCard } from '../held/held-card.tsx'
import type { HeldPapers } from '../held/held.ts'
import { countPeople } from '../release/release.ts'
import { PAPER_FILTERS, type PaperFilter, type ReleasePaper } from '../release/release-paper.ts'
import type { PapersLookHandle, PapersLookProps } from './papers-look.tsx'

const papersLook = makeLate(() => import('./papers-look.tsx').then((file) => file.PapersLook))

type Props = {
  release: number
  papers: Page<ReleasePaper>
  query: ListQuery
  held: HeldPapers
  /** How many papers each filter finds. */
  found: Record<PaperFilter, number>
}

/** Lists the papers of a release, and shows each beside the list. */
export function PapersTab({ release, papers, query, held, found }: Props) {
  const { Part: Look, ref, call } = useLate<PapersLookProps, PapersLookHandle>(papersLook, true)
  const columns = useMemo(() => columnsWith((paper) => call((look) => look.openLook(paper))), [call])
  const filters = Object.fromEntries(
    Object.entries(PAPER_FILTERS).filter(([name]) => found[name as PaperFilter] > 0 || name === query.filter),
  )
  return (
    <div className="grid gap-6">
      <HeldCard held={held} release={release} />
      <SearchTable
        caption="Papirer"
        search="Søg efter fil, projekt eller person"
        route={urls.listReleasePapers(release)}
        sorts={NO_SORTS}
        filters={filters}
        columns={columns}
        page={papers}
        query={query}
        none="Ingen papirer"
        renderBeside={(rows, info, onTurn) =>
          Look && <Look ref={ref} papers={rows} info={info} onTurn={onTurn} />
        }
      />
    </div>
  )
}

const NO_SORTS: string[] = []

const columnsWith = (look: (paper: ReleasePaper) => void): Column<ReleasePaper>[] => [
  {
    text: 'Papir',
    name: 'name',
    sortable: false,
    class: 'min-w-44',
    value: (paper) => <Name paper={paper} onLook={() => look(paper)} />,
  },
  {
    text: 'Sted',
    name: 'place',
    sortable: false,
    class: '@max-list:hidden',
    value: (paper) => <Place paper={paper} />,
  },
  {
    text: 'Kan ses af',
    name: 'readers',
    align: 'right',
    sortable: false,
    class: '@max-list:hidden w-px whitespace-nowrap tabular-nums',
    value: ({ id, readers }) => (
      <a href={urls.readers('file', id)} className="hover:text-accent hover:underline">
        {countPeople(readers.total)}
      </a>
    ),
  },
  {
    text: 'Størrelse',
    name: 'size',
    type: 'bytes',
    sortable: false,
    class: '@max-list:hidden w-px whitespace-nowrap',
  },
]

function Name({ paper, onLook }: { paper: ReleasePaper; onLook: () => void }) {
  const { id, owner, name, held, held_version: version, is_version: isVersion } = paper
  // The summary above already says this of the whole release.
  const own = held === 'doubt' || held === 'reading' || held === 'virus' ? held : null
  return (
    <span data-file={id} className="flex items-center gap-2">
      <span className="noscript:hidden">
        <IconButton label={`Vis ${name}`} icon={Eye} data-act="look" onClick={onLook} />
      </span>
      <span className="min-w-0 flex-1">
        <FileLink owner={owner} file={paper} version={version} />
        {isVersion && (
          <>
            {'\u2002'}
            <Chip text="Ny version" />
          </>
        )}
        <FileMarks isNew={false} file={{ is_version: false, held: own, waiting: null }} />
        <span className="block text-meta text-muted @list:hidden">
          <Place paper={paper} />
        </span>
      </span>
    </span>
  )
}

function Place({ paper: { owner, folder, place } }: { paper: ReleasePaper }) {
  const look = 'hover:text-accent hover:underline'
  if ('user' in owner)
    return (
      <a href={urls.user(owner.user)} className={look}>
        {place}
      </a>
    )
  return (
    <a href={`${urls.files(owner.project)}?open=${folder.id}#${folderAnchor(folder.id)}`} className={look}>
      {folder.name} · {place}
    </a>
  )
}
