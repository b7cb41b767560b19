import { urls } from '../urls.ts'
import type { LogEntry, Named } from './words/entry.ts'
import { usedTokenOf, whoOf } from './words/sentence.ts'

/** The name of the person who did it, with a link to their page. */
export function EntryWho({ entry }: { entry: LogEntry }) {
  const token = usedTokenOf(entry)
  if (!entry.user) return <span className="text-muted">{whoOf(entry)}</span>
  return (
    <>
      <Person {...entry.user} />
      {entry.seen_as && (
        <span className="text-muted">
          {' (vist som '}
          <Person {...entry.seen_as} />)
        </span>
      )}
      {token && <span className="text-muted"> (med API-nøglen {token.name})</span>}
      {entry.lender && (
        <span className="text-muted">
          {' (for '}
          <Person {...entry.lender} />)
        </span>
      )}
    </>
  )
}

function Person({ id, name }: Named) {
  return (
    <a
      href={urls.user(id)}
      className="font-medium underline decoration-line-strong underline-offset-2 hover:text-accent hover:decoration-accent"
    >
      {name}
    </a>
  )
}
