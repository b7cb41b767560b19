import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { danishDate, dayOf } from '../base/time/dates.ts'
import { formatMoney } from '../base/money.ts'
import { may } from '../rights.ts'
import type { Crumb } from '../ui/shell/breadcrumbs.tsx'
import type { Column } from '../ui/list/columns.ts'
import { ErrorState } from '../ui/basic/error-state.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { Pager } from '../ui/list/pager.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { Table } from '../ui/list/table.tsx'
import { useLive } from '../ui/live/use-live.ts'
import { changesOf, urls } from '../urls.ts'
import {
  MOST_COUNTED,
  type FileReach,
  type FileReads,
  type FileVersion,
  type LogAnswer,
  type LogEntry,
  type LoggedFile,
  type LogHome,
} from './words/entry.ts'
import { EntrySentence } from './entry-sentence.tsx'
import { EntryWho } from './entry-who.tsx'
import { WHOLE_LOG, writeLogQuery, type LogQuery, type SentDays } from './words/filter.ts'
import { LogFilters } from './log-filters.tsx'
import { nameOfFile } from './words/sentence.ts'
import { titleOf } from './words/title.ts'
import { useLog } from './use-log.ts'
import { VersionList } from './version-list.tsx'

type LogPageProps = {
  query: LogQuery
  answer: LogAnswer
  /** Names that were searched for without JavaScript and not found. */
  missing: string[]
  sent: SentDays
  home: LogHome
}

export function LogPage({ query: queryAtFirst, answer, missing, sent, home }: LogPageProps) {
  const { timeZone, user } = useFrame()
  const maySeeLog = may(user!.role, 'seeLog')
  const log = useLog(home.list, answer, queryAtFirst)
  useLive(home.list === urls.listLog ? changesOf('log') : null, log.refresh)
  const { query, picked, data, meta } = log
  const top = useRef<HTMLDivElement>(null)
  const title = titleOf(picked)
  const isFiltered = writeLogQuery({ ...query, page: WHOLE_LOG.page }) !== ''

  useEffect(() => {
    document.title = `${title} · Ringbind`
  }, [title])

  function turnTo(page: number): void {
    log.turnTo(page)
    if (top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView()
  }

  return (
    <Shell
      title={picked.file ? 'Historik' : 'Log'}
      {...(picked.file && { above: nameOfFile(picked.file) })}
      crumbs={picked.file ? [maySeeLog ? { text: 'Log', href: urls.log } : placeOf(picked.file)] : []}
      actions={
        maySeeLog && (
          <LinkButton
            kind="secondary"
            icon={Download}
            href={
              urls.logCsv + writeLogQuery({ ...query, file: picked.file?.id ?? null, page: WHOLE_LOG.page })
            }
          >
            Hent som CSV
          </LinkButton>
        )
      }
    >
      <div className="@container grid gap-4">
        {picked.reads && (
          <div className="grid gap-1">
            <Reads {...picked.reads} />
            {picked.reach && <Reach {...picked.reach} file={picked.file!.id} />}
          </div>
        )}
        {picked.file && home.page !== urls.log && <Versions file={picked.file} versions={picked.versions} />}
        <LogFilters page={home.page} query={query} picked={picked} sent={sent} onFilter={log.filterBy} />
        {missing.map((text) => (
          <p key={text} role="alert" className="text-danger">
            Der er ingen med navnet eller nummeret ”{text}”.
          </p>
        ))}
        {log.hasFailed && <ErrorState message="Loggen kunne ikke hentes." onRetry={log.retry} />}
        <div ref={top} className="scroll-mt-4">
          <Table
            caption="Log"
            columns={maySeeLog ? COLUMNS : COLUMNS.filter(({ name }) => name !== 'address')}
            groupOf={({ at }) => danishDate(at, timeZone)}
            rows={data}
            total={meta.is_more ? `over ${formatMoney(MOST_COUNTED)}` : meta.total}
            isBusy={log.isBusy}
            empty={<Nothing href={isFiltered ? home.page : null} />}
            beside={
              <Pager
                info={meta}
                hrefOf={(page) => home.page + writeLogQuery({ ...query, page })}
                onTurn={turnTo}
              />
            }
          />
        </div>
        {meta.is_more && meta.next_page === null && (
          <Older page={home.page} query={query} answer={log} timeZone={timeZone} />
        )}
      </div>
    </Shell>
  )
}

/** Returns a link to the file's place, for people who cannot see the log. */
function placeOf({ owner }: LoggedFile): Crumb {
  if (owner === null) return { text: 'Projekter', href: urls.projects }
  return 'project' in owner
    ? { text: 'Filer', href: urls.files(owner.project) }
    : { text: 'Filer', href: urls.user(owner.user) }
}

function Reads({ people, last }: FileReads) {
  if (!last) return <p className="text-muted">Ingen har åbnet eller hentet filen endnu.</p>
  return (
    <p>
      Åbnet af <strong className="font-semibold">{people === 1 ? 'én person' : `${people} personer`}</strong>,
      senest {last.name && `af ${last.name} `}
      <ShortDate at={last.at} withTime="spoken" className="tabular-nums" />.
    </p>
  )
}

/** The versions of a file. One in the trash has none to show. */
function Versions({ file, versions }: { file: LoggedFile; versions: FileVersion[] }) {
  const { owner, path } = file
  if (versions.length === 0 || owner === null || path === null) return null
  return <VersionList file={{ ...file, owner, path }} versions={versions} />
}

/** Says how many of those outside the office who see the file have opened it. */
function Reach({ release, reached, opened, file }: FileReach & { file: number }) {
  return (
    <p className="text-muted">
      {reached === 0
        ? 'Ingen uden for kontoret kan se filen nu.'
        : `${opened} af ${reached} uden for kontoret, der kan se filen, har åbnet den.`}{' '}
      <a href={urls.readers('file', file)} className="text-accent underline underline-offset-2">
        Hvem kan se den?
      </a>{' '}
      {release !== null && (
        <a href={urls.release(release)} className="text-accent underline underline-offset-2">
          Se udsendelsen
        </a>
      )}
    </p>
  )
}

/** `href` shows all entries, without filters. */
function Nothing({ href }: { href: string | null }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p>{href ? 'Intet fundet...' : 'Ingen hændelser endnu'}</p>
      {href && (
        <a href={href} className="text-accent underline underline-offset-2">
          {href === urls.log ? 'Vis hele loggen' : 'Vis hele historikken'}
        </a>
      )}
    </div>
  )
}

type OlderProps = {
  page: string
  query: LogQuery
  answer: Pick<LogAnswer, 'data' | 'picked'>
  timeZone: string
}

/** Shown where paging ends but the log continues: links to an earlier period. */
function Older({ page, query, answer: { data, picked }, timeZone }: OlderProps) {
  const oldest = data.at(-1)
  const to = oldest ? dayOf(oldest.at, timeZone) : null
  const canGoOn = to !== null && to !== picked.days.to
  return (
    <p className="text-muted">
      Her slutter siderne.{' '}
      {canGoOn ? (
        <a
          href={page + writeLogQuery({ ...query, ...picked.days, to, period: null, page: WHOLE_LOG.page })}
          className="text-accent underline underline-offset-2"
        >
          Vis ældre
        </a>
      ) : (
        'Vælg en kortere periode, eller hent det hele som CSV.'
      )}
    </p>
  )
}

const NARROW_HIDDEN = '@max-list:hidden'

const COLUMNS: Column<LogEntry>[] = [
  {
    text: 'Tidspunkt',
    name: 'at',
    class: `${NARROW_HIDDEN} w-px whitespace-nowrap tabular-nums`,
    value: ({ at }) => <ShortDate at={at} withTime />,
  },
  {
    text: 'Hvem',
    name: 'who',
    class: `${NARROW_HIDDEN} w-48`,
    value: (entry) => <EntryWho entry={entry} />,
  },
  {
    text: 'Hvad',
    name: 'what',
    value: (entry) => <What entry={entry} />,
  },
  {
    text: 'Adresse',
    name: 'address',
    class: `${NARROW_HIDDEN} w-px whitespace-nowrap tabular-nums text-muted`,
  },
]

function What({ entry }: { entry: LogEntry }) {
  return (
    <>
      <span className="@list:hidden">
        <EntryWho entry={entry} />{' '}
      </span>
      <EntrySentence entry={entry} />
      <span className="mt-1 flex flex-wrap gap-x-3 text-meta text-muted tabular-nums @list:hidden">
        <ShortDate at={entry.at} withTime />
        <span>{entry.address}</span>
      </span>
    </>
  )
}
