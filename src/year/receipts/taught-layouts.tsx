import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { TaughtLayout } from './layouts.db.ts'

/** The layouts of receipts that the office has taught. */
export function TaughtLayouts({ layouts }: { layouts: TaughtLayout[] }) {
  if (layouts.length === 0) return null
  return (
    <section aria-labelledby="layouts" className="mt-6">
      <h2 id="layouts" className="mb-2 text-section font-semibold">
        Kvitteringer, I har vist Ringbind
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {layouts.map(({ id, title, obligation }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <p className="min-w-0 wrap-anywhere">
              <span className="font-medium">{title}</span> <span className="text-muted">{obligation}</span>
            </p>
            <Form
              action={urls.removeReceiptLayout(id)}
              submit="Slet layoutet"
              doneText="Layoutet er slettet. Brugte kvitteringer bliver ved deres frister."
              kind="secondary"
              beside={null}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
