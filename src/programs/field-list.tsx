import type { DocField } from './docs.ts'

/** The fields of a call, an answer or a type, each with its type and what it means. */
export function FieldList({ fields }: { fields: DocField[] }) {
  return (
    <dl className="grid gap-2">
      {fields.map(({ name, type, of, isRequired, says }) => (
        <div key={name} className="grid gap-x-4 sm:grid-cols-[240px_minmax(0,1fr)]">
          <dt translate="no" className="font-mono wrap-anywhere">
            {name}
            {isRequired ? '' : <span className="font-sans text-meta text-muted"> kan udelades</span>}
          </dt>
          <dd className="wrap-anywhere">
            <span translate="no" className="text-muted">
              {type}
              {of && (
                <a href={`#type-${of}`} className="text-accent underline underline-offset-2">
                  {of}
                </a>
              )}
            </span>
            {says && <span className="block">{says}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
