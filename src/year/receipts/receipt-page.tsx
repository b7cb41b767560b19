import { writeDay } from '../../base/time/days.ts'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { ActForm } from '../obligations/act-form.tsx'
import { PaperLink, spanText } from './duty-receipts.tsx'
import type { ReceiptField } from './layout.ts'
import { fittingHref, whyText, type Receipt, type ReceiptPaper } from './receipt.ts'
import type { Choice, Teachable } from './teachable.ts'

type ReceiptPageProps = {
  receipt: Receipt & { paper: ReceiptPaper }
  /** What can be pointed at; null if the paper's words are gone. */
  teachable: Teachable | null
  /** The duties that such a receipt may end. Null if the reader teaches no layouts, or this one is known. */
  kinds: { id: number; title: string }[] | null
  refused?: RefusedForm
}

/** Shows what was read in a receipt; an administrator teaches its layout there. */
export function ReceiptPage({ receipt, teachable, kinds, refused }: ReceiptPageProps) {
  const { why, paper } = receipt
  return (
    <Shell title="Kvittering" crumbs={[{ text: 'Året', href: urls.yearList }]}>
      <div className="grid max-w-[720px] gap-6">
        <div className="grid gap-1">
          <p>
            <PaperLink paper={paper} />
          </p>
          <p className="text-meta text-muted wrap-anywhere">{paper.from}</p>
          {why && <p className="rounded-control bg-warn-soft px-3 py-2 text-warn">{whyText(why, receipt)}</p>}
          {why === null && (
            <p>
              Den passer til en frist.{' '}
              <a href={fittingHref(receipt)} className="text-accent underline underline-offset-2">
                Gå til fristen
              </a>
            </p>
          )}
        </div>
        {why !== 'unknown' && <Facts receipt={receipt} />}
        {why === 'refused' && (
          <ActForm
            action={urls.receiptAct(receipt.id, 'take-back')}
            submit="Se på den igen"
            doneText="Kvitteringen er med igen."
          />
        )}
        {teachable && kinds && (
          <TeachForm receipt={receipt} teachable={teachable} kinds={kinds} refused={refused} />
        )}
        {why === 'unknown' && kinds === null && (
          <p className="text-muted">En administrator kan vise Ringbind, hvor tallene står.</p>
        )}
        {teachable && (
          <section aria-label="Papirets ord">
            <h2 className="mb-2 text-section font-semibold">Papirets ord</h2>
            <ol className="grid gap-0.5 rounded-card border border-line bg-surface px-4 py-3 text-meta">
              {teachable.lines.map((line, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a line is its place
                <li key={index} className="wrap-anywhere">
                  {line}
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </Shell>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const facts = [
    ['Fra', receipt.authority],
    ['CVR-nr.', receipt.cvr],
    ['Periode', spanText(receipt)],
    ['Modtaget', receipt.received_on && writeDay(receipt.received_on)],
    ['Nummer', receipt.number],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 wrap-anywhere">
      {facts.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{value || 'Ikke læst'}</dd>
        </div>
      ))}
    </dl>
  )
}

const FIELD_LABELS: Record<ReceiptField, [label: string, none: string]> = {
  cvr: ['CVR-nummer', 'Vælg'],
  period: ['Periode', 'Står der ikke'],
  day: ['Dag, den er modtaget', 'Står der ikke'],
  number: ['Kvitteringens nummer', 'Står der ikke'],
}

type TeachProps = {
  receipt: Receipt
  teachable: Teachable
  kinds: { id: number; title: string }[]
  refused: RefusedForm | undefined
}

function TeachForm({ receipt, teachable: { titles, fields }, kinds, refused }: TeachProps) {
  return (
    <section aria-labelledby="teach" className="grid gap-3">
      <h2 id="teach" className="text-section font-semibold">
        Det er en kvittering
      </h2>
      <p className="text-muted">
        Peg på tallene i papiret. Ringbind husker ordene foran dem og genkender så kvitteringer, der ser ud
        som denne.
      </p>
      <Form
        action={urls.receiptAct(receipt.id, 'teach')}
        submit="Husk layoutet"
        doneText="Ringbind kender nu layoutet."
        refused={refused}
        beside={null}
        className="grid gap-3"
      >
        <SelectField
          name="obligation"
          label="Hvad er indberettet?"
          options={[
            { value: '', text: 'Vælg' },
            ...kinds.map(({ id, title }) => ({ value: String(id), text: title })),
          ]}
          defaultValue=""
        />
        <SelectField
          name="title"
          label="Hvilken linje kendes den på?"
          options={[{ value: '', text: 'Vælg' }, ...titles.map(({ key, text }) => ({ value: key, text }))]}
          defaultValue=""
        />
        {(Object.keys(FIELD_LABELS) as ReceiptField[]).map((field) => (
          <SelectField
            key={field}
            name={field}
            label={FIELD_LABELS[field][0]}
            options={[
              { value: '', text: FIELD_LABELS[field][1] },
              ...fields[field].map((choice) => ({ value: choice.key, text: choiceText(choice) })),
            ]}
            defaultValue=""
          />
        ))}
      </Form>
    </section>
  )
}

/** '38291041 efter ”Selskabets nummer”' */
const choiceText = ({ said, label }: Choice) => `${said} efter ”${label}”`
