import { FileCheck } from 'lucide-react'
import { writeDay } from '../../base/time/days.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { urls } from '../../urls.ts'
import { ActForm } from '../obligations/act-form.tsx'
import { receiptText, whyText, type Receipt, type ReceiptPaper } from './receipt.ts'

/** The receipt that a duty is ended with, or receipts that somebody may end it with. */
export function DutyReceipts({ isDone, receipts }: { isDone: boolean; receipts: Receipt[] }) {
  if (receipts.length === 0) return null
  return (
    <ul className="mt-2 grid gap-2">
      {receipts.map((receipt) => (
        <li key={receipt.id}>{isDone ? <Used receipt={receipt} /> : <Proposed receipt={receipt} />}</li>
      ))}
    </ul>
  )
}

function Used({ receipt }: { receipt: Receipt }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      <FileCheck size={16} strokeWidth={1.75} aria-hidden="true" className="text-ok" />
      <span className="tabular-nums wrap-anywhere">Kvittering {receiptText(receipt)}</span>
      {receipt.paper ? (
        <PaperLink paper={receipt.paper} />
      ) : (
        <span className="text-muted">papiret er slettet</span>
      )}
    </p>
  )
}

function Proposed({ receipt }: { receipt: Receipt }) {
  const { id, paper, duty } = receipt
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-accent-soft px-3 py-2">
      <div className="min-w-0 flex-auto basis-64">
        <p className="flex flex-wrap items-center gap-x-2">
          <FileCheck size={16} strokeWidth={1.75} aria-hidden="true" className="text-accent" />
          <span className="font-medium tabular-nums wrap-anywhere">
            Kvittering fundet: {receiptText(receipt)}
          </span>
          {paper && <PaperLink paper={paper} />}
        </p>
        {paper && <p className="text-meta text-muted wrap-anywhere">{paper.from}</p>}
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">
        <ActForm
          action={urls.receiptAct(id, 'accept')}
          submit="Luk fristen"
          doneText="Fristen er lukket med kvitteringen. Du kan åbne den igen under Udført."
        >
          <input type="hidden" name="duty" value={duty ?? ''} />
        </ActForm>
        <RefuseForm receipt={receipt} />
      </div>
    </div>
  )
}

const RefuseForm = ({ receipt }: { receipt: Receipt }) => (
  <ActForm
    action={urls.receiptAct(receipt.id, 'refuse')}
    submit="Passer ikke"
    doneText="Kvitteringen er lagt væk."
    kind="quiet"
  />
)

export const PaperLink = ({ paper: { name, href } }: { paper: ReceiptPaper }) => (
  <a
    href={href}
    {...IN_NEW_TAB}
    className="text-accent underline underline-offset-2 wrap-anywhere pointer-coarse:py-3"
  >
    {name}
  </a>
)

/** Receipts that fit no open duty, for somebody to look at. */
export function Misfits({ receipts }: { receipts: Receipt[] }) {
  if (receipts.length === 0) return null
  return (
    <details id="kvitteringer" className="rounded-card border border-line bg-surface print:hidden">
      <summary className="min-h-11 cursor-pointer px-4 py-3 font-medium">
        {receipts.length === 1
          ? 'En kvittering passer ikke til en frist'
          : `${receipts.length} kvitteringer passer ikke til en frist`}
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {receipts.map((receipt) => (
          <li
            key={receipt.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
          >
            <div className="min-w-0 flex-auto basis-64">
              <p className="flex flex-wrap gap-x-2">
                {receipt.paper && <PaperLink paper={receipt.paper} />}
                {receipt.why !== 'unknown' && (
                  <span className="text-muted tabular-nums">{aboutText(receipt)}</span>
                )}
              </p>
              <p className="wrap-anywhere">{receipt.why && whyText(receipt.why, receipt)}</p>
              <p className="text-meta text-muted wrap-anywhere">{receipt.paper?.from}</p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <a
                href={urls.receipt(receipt.id)}
                className="text-accent underline underline-offset-2 pointer-coarse:py-3"
              >
                Se, hvad der er læst
              </a>
              <RefuseForm receipt={receipt} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** 'Erhvervsstyrelsen · CVR-nr. 38291041 · 2026-00012345 · 12/05/2026' */
function aboutText(receipt: Receipt): string {
  return [receipt.authority, receipt.cvr && `CVR-nr. ${receipt.cvr}`, receiptText(receipt)]
    .filter(Boolean)
    .join(' · ')
}

/** '01/01/2025–31/12/2025' */
export const spanText = ({ starts_on: from, ends_on: to }: Receipt) =>
  from && to ? `${writeDay(from)}–${writeDay(to)}` : null
