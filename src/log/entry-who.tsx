import { urls } from '../urls.ts'
import type { LogEntry } from './entry.ts'
import { whoOf } from './sentence.ts'

/** The name of the person who did it, with a link to their page. */
export function EntryWho({ entry }: { entry: LogEntry }) {
  if (!entry.user) return <span className="text-muted">{whoOf(entry)}</span>
  return (
    <a
      href={urls.user(entry.user.id)}
      className="font-medium underline decoration-line-strong underline-offset-2 hover:text-accent hover:decoration-accent"
    >
      {entry.user.name}
    </a>
  )
}
