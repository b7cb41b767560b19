import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { SCOPE_NAMES } from '../accounts/tokens/token.ts'
import { SCOPES } from '../rights.ts'
import { Chip } from '../ui/basic/chip.tsx'
import { Code } from './code.tsx'
import type { DocCall, DocField } from './docs.ts'
import { FieldList } from './field-list.tsx'

/** One call: a line that opens, with what it takes, what it answers and an example. */
export function CallCard({ call }: { call: DocCall }) {
  const scope = SCOPES.find((each) => each === call.scope)
  return (
    <details id={call.id} className="group scroll-mt-4">
      <summary className="flex min-h-11 cursor-pointer list-none items-start gap-3 px-4 py-3 hover:bg-hover sm:px-6">
        <ChevronRight
          size={16}
          strokeWidth={1.75}
          aria-hidden="true"
          className="mt-0.5 shrink-0 text-muted group-open:rotate-90"
        />
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{call.summary}</span>
          <span translate="no" className="block font-mono text-meta text-muted wrap-anywhere">
            <span className="font-semibold text-ink">{call.method}</span> {call.path}
          </span>
        </span>
        <Chip text={scope ? SCOPE_NAMES[scope] : 'Enhver nøgle'} />
      </summary>
      <div className="grid gap-4 border-t border-line px-4 py-4 sm:px-6 sm:pl-13">
        <p className="max-w-[720px]">{call.says}</p>
        <Code text={call.curl} />
        <Fields title="I adressen og headers" fields={call.parameters} />
        <Fields title="I formularen (multipart/form-data)" fields={call.form} />
        <Fields title={call.form.length > 0 ? 'Eller som JSON' : 'Som JSON'} fields={call.json} />
        <Fields title={`Svaret (${call.status})`} fields={call.answer}>
          {call.sample !== null && (
            <details className="mb-3">
              <summary className="inline-flex min-h-9 cursor-pointer items-center text-accent underline underline-offset-2 pointer-coarse:min-h-11">
                Eksempel
              </summary>
              <Code text={call.sample} />
            </details>
          )}
        </Fields>
        <Fields title={`Svarets headers (${call.status})`} fields={call.headers} />
        <p className="text-meta text-muted">
          I klienter hedder kaldet{' '}
          <span translate="no" className="font-mono">
            {call.id}
          </span>
          .
        </p>
      </div>
    </details>
  )
}

function Fields({ title, fields, children }: { title: string; fields: DocField[]; children?: ReactNode }) {
  if (fields.length === 0) return null
  return (
    <div>
      <h3 className="mb-2 text-meta font-semibold text-muted">{title}</h3>
      {children}
      <FieldList fields={fields} />
    </div>
  )
}
