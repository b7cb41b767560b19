import { ShortDate } from '../ui/basic/short-date.tsx'
import type { LogEntry } from './words/entry.ts'
import { EntrySentence } from './entry-sentence.tsx'
import { EntryWho } from './entry-who.tsx'

/** The short list of entries on a person's page. */
export function EntryList({ entries }: { entries: readonly LogEntry[] }) {
  if (entries.length === 0) return <p className="px-4 py-6 text-muted">Ingen aktivitet endnu.</p>
  return (
    <ul>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className="flex min-h-11 flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0"
        >
          <p className="min-w-0 flex-1 basis-72 wrap-anywhere">
            <EntryWho entry={entry} /> <EntrySentence entry={entry} />
          </p>
          <ShortDate at={entry.at} withTime className="text-meta text-muted tabular-nums" />
        </li>
      ))}
    </ul>
  )
}
