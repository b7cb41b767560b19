import { Download, FolderDown } from 'lucide-react'
import { useId } from 'react'
import { forText } from '../../access/lent.ts'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { whenFollowed } from '../../files/content/use-read-files.ts'
import { FileIcon } from '../../files/file/file-icon.tsx'
import { FileMarks } from '../../files/file/file-marks.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { fileUrls, urls } from '../../urls.ts'
import { stateName } from '../overview/overview.ts'
import { ALL_PAPERS, writePapersQuery, type PapersQuery } from './papers-query.ts'
import type { AwaitedPaper, Packages, Paper, PaperYear } from './papers.ts'

type Reading = { read: ReadonlySet<number>; onRead: (file: number) => void }
type Props = PaperYear & Reading & { query: PapersQuery; packages: Packages | null }

/** The newest papers of a year, what has not come, and the year as a package. */
export function PapersOfYear({
  year,
  total,
  papers,
  next,
  awaited,
  awaited_total: awaitedTotal,
  query,
  packages,
  ...reading
}: Props) {
  const id = useId()
  const sum = packages?.sums.find((each) => each.year === year)
  const ofYear = (after: string | null) =>
    urls.papersPage + writePapersQuery({ ...query, year: year ?? 'none', after })
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <h2 id={id} className="text-section font-semibold tabular-nums">
          {year ?? 'Uden år'}
        </h2>
        {total > 0 && <p className="text-muted tabular-nums">{countPapers(total)}</p>}
        <span className="ml-auto flex flex-wrap gap-x-4 print:hidden">
          {query.year !== null && year !== null && query.q === '' && query.project === null && (
            <a
              href={urls.yearSheet + writePapersQuery({ ...ALL_PAPERS, year, client: query.client })}
              download
              className={`inline-flex items-center gap-2 ${LINK}`}
            >
              <Download size={16} strokeWidth={1.75} aria-hidden="true" />
              Hent som Excel
            </a>
          )}
          {packages && sum && (
            <LinkButton kind="secondary" href={packageOf(packages.of, sum.year)} icon={FolderDown}>
              Hent {sum.year} som ZIP{sum.sum && ` · ${formatBytes(sum.sum.bytes, 0)}`}
            </LinkButton>
          )}
        </span>
      </div>
      {papers.length > 0 && (
        <ul>
          {papers.map((paper) => (
            <PaperRow key={paper.id} paper={paper} {...reading} />
          ))}
        </ul>
      )}
      {(next !== null || query.after !== null) && (
        <p className="flex flex-wrap gap-x-6 border-t border-line px-4 py-3 print:hidden">
          {query.after !== null && (
            <a href={ofYear(null)} className={LINK}>
              Til de nyeste
            </a>
          )}
          {next !== null && (
            <a href={ofYear(query.year === null ? null : next)} className={LINK}>
              {query.year === null
                ? `Vis alle ${formatCount(total)}${year === null ? ' uden år' : ` fra ${year}`}`
                : 'Vis de næste'}
            </a>
          )}
        </p>
      )}
      <Awaited papers={awaited} total={awaitedTotal} isOpen={total > 0 && awaited.length <= FEW_AWAITED} />
    </section>
  )
}

const LINK =
  'text-accent underline-offset-2 hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center'

const countPapers = (many: number) => (many === 1 ? '1 papir' : `${formatCount(many)} papirer`)

function packageOf(of: Packages['of'], year: number): string {
  if (of === 'everything') return urls.yearPackage(year)
  return 'project' in of ? urls.projectPackage(of.project, year) : urls.lenderPackage(of.lender, year)
}

/** A paper by what it is, with its file's name below. A press anywhere in the row opens it. */
function PaperRow({ paper, read, onRead }: { paper: Paper } & Reading) {
  const { id, title, name, owner, path, lent_by: lentBy, at } = paper
  return (
    <li className="relative flex min-h-14 items-center gap-3 border-t border-line px-4 py-2 last:rounded-b-card hover:bg-hover">
      <FileIcon mime={paper.mime} name={name} />
      <span className="min-w-0 flex-1">
        <a
          href={fileUrls.open(owner, path)}
          {...IN_NEW_TAB}
          className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
          {...whenFollowed(() => onRead(id))}
        >
          {title}
        </a>
        <FileMarks isNew={paper.is_new && !read.has(id)} isSent={paper.from_investor} file={paper} />
        <span className="block text-meta wrap-anywhere text-muted">
          {lentBy.length > 0 && <>{forText(lentBy)} · </>}
          {name} · <ShortDate at={at} className="relative tabular-nums" />
        </span>
      </span>
    </li>
  )
}

/** Up to this many are shown at once. */
const FEW_AWAITED = 5

type AwaitedProps = { papers: AwaitedPaper[]; total: number; isOpen: boolean }

/** Lists expected papers that have not come. */
function Awaited({ papers, total, isOpen }: AwaitedProps) {
  if (papers.length === 0) return null
  // Two projects may have the same name.
  const lines = papers.map((paper, at) => ({ ...paper, key: `${at} ${paper.title}` }))
  return (
    <details open={isOpen} className="border-t border-line px-4 text-muted">
      <summary className="flex min-h-11 cursor-pointer items-center">
        Ikke kommet ({formatCount(total)})
      </summary>
      <ul className="pb-3">
        {lines.map(({ key, title, is_excused: isExcused }) => (
          <li key={key} className="py-1 wrap-anywhere">
            {isExcused ? `${title} (${stateName('excused', false).toLowerCase()})` : title}
          </li>
        ))}
        {total > papers.length && (
          <li className="py-1">Listen viser de første {formatCount(papers.length)}.</li>
        )}
      </ul>
    </details>
  )
}
