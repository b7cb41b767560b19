import { listed, withRest } from '../../base/danish/listed.ts'
import type { ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { periodKeyText } from '../../base/time/period.ts'
import { EntryList } from '../../log/entry-list.tsx'
import { hasOwnFiles, ROLE_NAMES } from '../../rights.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { PaperNotes } from '../file/paper-notes.tsx'
import { HELD_NAMES } from '../file/stored-file.ts'
import type { LookFacts, OfficeFacts } from './look.ts'

/** The facts about a file. The office sees more of them. */
export function LookDetails({ facts: { file, office } }: { facts: LookFacts }) {
  return (
    <>
      <PaperNotes notes={office?.notes} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 wrap-anywhere">
        <Fact name="Størrelse">{formatBytes(file.size)}</Fact>
        <Fact name="Dato">
          <ShortDate at={file.created_at} withTime={office !== null} />
        </Fact>
        {office && (
          <>
            <Fact name="Uploadet af">{office.uploaded_by ?? 'Ukendt'}</Fact>
            {file.is_period_given && (
              <Fact name="Periode">
                {periodKeyText(file.period, office.crosses_new_year) || 'Ingen'} (rettet)
              </Fact>
            )}
            {office.unread && <Fact name="Søgning">{unreadText(office.unread)}</Fact>}
            <Fact name="Hvem kan se den">
              {file.held
                ? `Kun kontoret (${HELD_NAMES[file.held].toLowerCase()})`
                : readersText(office.readers)}{' '}
              <a
                href={urls.readers('file', file.id)}
                className="whitespace-nowrap text-accent underline underline-offset-2"
              >
                Se hvorfor
              </a>
            </Fact>
          </>
        )}
      </dl>
      {office && (
        <section aria-label="Historik">
          <div className="flex items-baseline justify-between gap-4">
            <h3 className="font-semibold">Historik</h3>
            <a href={urls.fileHistory(file.id)} className="text-accent underline-offset-2 hover:underline">
              Hele historikken
            </a>
          </div>
          <div className="-mx-4">
            <EntryList entries={office.history} />
          </div>
        </section>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** 'Teksten kunne ikke læses: filen er beskadiget.' */
export function unreadText({ isFailed, reason }: NonNullable<OfficeFacts['unread']>): string {
  return isFailed ? `Teksten kunne ikke læses: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` : reason
}

/** 'Kontoret og 3 andre: Anna Holm, Bo Lund og Rita Krag (revisor)' */
export function readersText({ total, first }: OfficeFacts['readers']): string {
  if (total === 0) return 'Kun kontoret'
  const names = first.map(({ name, role }) =>
    hasOwnFiles(role) ? name : `${name} (${ROLE_NAMES[role].toLowerCase()})`,
  )
  const said = listed(withRest(names, names.length, { total }))
  return `Kontoret og ${total === 1 ? 'én anden' : `${formatCount(total)} andre`}: ${said}`
}
