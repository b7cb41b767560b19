import { Download, Printer } from 'lucide-react'
import type { Page } from '../../base/pagination.ts'
import { Button } from '../../ui/basic/button.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { urls } from '../../urls.ts'
import { PRINTED_OPENINGS, type Opening } from '../release/release.ts'
import type { ReleaseEvent } from './events.ts'

type Props = { release: number; events: ReleaseEvent[]; openings: Page<Opening>; isToPrint: boolean }

/** Lists what was done with a release, and who opened what: what a report of a data breach needs. */
export function HistoryTab({ release, events, openings, isToPrint }: Props) {
  return (
    <div className="grid gap-6">
      <ul className={LIST}>
        {events.map(({ at, text }) => (
          <Line key={`${at} ${text}`} at={at} text={text} />
        ))}
      </ul>
      {openings.meta.total > 0 && <Openings {...{ release, openings, isToPrint }} />}
    </div>
  )
}

const LIST = 'divide-y divide-line rounded-card border border-line bg-surface'

function Line({ at, text }: ReleaseEvent) {
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</span>
      <span className="text-meta text-muted tabular-nums">
        <ShortDate at={at} withTime />
      </span>
    </li>
  )
}

function Openings({ release, openings: { data, meta }, isToPrint }: Omit<Props, 'events'>) {
  const hrefOf = (page: number) => `${urls.releaseTab(release, 'history')}?page=${page}`
  const isMore = meta.total > data.length
  return (
    <section aria-labelledby="openings" className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="openings" className="min-w-0 flex-1 basis-60 text-section font-semibold">
          Åbnet og hentet
        </h2>
        <span className="flex flex-wrap gap-3 print:hidden">
          {isMore && !isToPrint ? (
            <LinkButton kind="secondary" href={`${urls.releaseTab(release, 'history')}?print`}>
              Vis til udskrift
            </LinkButton>
          ) : (
            <span className="noscript:hidden">
              <Button type="button" kind="secondary" onClick={() => print()}>
                <span className="flex items-center gap-2">
                  <Printer size={16} strokeWidth={1.75} aria-hidden="true" />
                  Udskriv
                </span>
              </Button>
            </span>
          )}
          <LinkButton kind="secondary" href={urls.releaseOpenings(release)} icon={Download}>
            Hent som CSV
          </LinkButton>
        </span>
      </div>
      <ul className={LIST}>
        {data.map(({ id, at, name, file, is_download: isDownload }) => (
          <Line key={id} at={at} text={`${name} ${isDownload ? 'hentede' : 'åbnede'} ${file}`} />
        ))}
        {isMore && isToPrint && (
          <li className="px-4 py-2 text-muted">De første {PRINTED_OPENINGS}. Hent alle som CSV.</li>
        )}
      </ul>
      {!isToPrint && <Pager info={meta} hrefOf={hrefOf} onTurn={(page) => location.assign(hrefOf(page))} />}
    </section>
  )
}
