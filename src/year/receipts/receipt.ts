import { writeDay } from '../../base/time/days.ts'
import type { PaperNote } from '../../files/file/paper-note.ts'
import { urls } from '../../urls.ts'
import { ALL_DUTIES, WITH_RECEIPT, writeDutyQuery } from '../obligations/duty.ts'
import type { ReceiptFault } from './read-receipt.ts'

/** Why a receipt is not proposed to any duty. */
export type ReceiptWhy =
  | ReceiptFault
  | 'unknown'
  | 'refused'
  | 'future'
  | 'no-project'
  | 'no-period'
  | 'no-duty'
  | 'done'
  | 'several'

/** The paper that a receipt stands in. */
export type ReceiptPaper = {
  name: string
  href: string
  /** Who has sent it, as far as that is known: anybody can write a receipt. */
  from: string
}

/** What somebody has to know of a receipt. Days are like '2026-05-12'. */
export type Receipt = {
  id: number
  authority: string
  cvr: string | null
  starts_on: string | null
  ends_on: string | null
  received_on: string | null
  number: string
  /** Null if it fits exactly one open duty, or has ended one. */
  why: ReceiptWhy | null
  /** The duty that it fits, or has ended. */
  duty: number | null
  /** Null when it is deleted. */
  paper: ReceiptPaper | null
}

/** '2026-00012345 · 12/05/2026' */
export const receiptText = ({ number, received_on: day }: Pick<Receipt, 'number' | 'received_on'>) =>
  [number || 'uden nummer', day && writeDay(day)].filter(Boolean).join(' · ')

/** The list with the deadline that a receipt fits. */
export const fittingHref = ({ cvr }: Pick<Receipt, 'cvr'>) =>
  urls.yearList + writeDutyQuery({ ...ALL_DUTIES, rule: WITH_RECEIPT, q: cvr ?? '' })

/** The note about a receipt that is shown beside its paper. */
export const receiptNote = (receipt: Receipt): PaperNote =>
  receipt.why === null
    ? { text: 'Kvitteringen passer til en frist.', href: fittingHref(receipt) }
    : { text: whyText(receipt.why, receipt), href: urls.receipt(receipt.id) }

/** Says why a receipt fits no duty. */
export function whyText(
  why: ReceiptWhy,
  { cvr, starts_on: from, ends_on: to, received_on: day }: Receipt,
): string {
  const period = from && to ? `${writeDay(from)}–${writeDay(to)}` : ''
  const texts: Record<ReceiptWhy, string> = {
    unknown: 'Papiret ligner en kvittering, men Ringbind kender ikke dens layout.',
    refused: 'Kontoret har sagt, at den ikke passer.',
    rejected: 'Papiret siger, at indberetningen er afvist eller ikke er færdig.',
    'no-cvr': 'Kvitteringen nævner ikke noget CVR-nummer.',
    cvrs: 'Kvitteringen nævner flere CVR-numre.',
    'wrong-cvr': 'CVR-nummeret på kvitteringen er ikke et rigtigt CVR-nummer.',
    periods: 'Kvitteringen nævner flere perioder.',
    future: `Kvitteringen er dateret ${day ? writeDay(day) : ''}, og den dag er ikke kommet endnu.`,
    'no-project': `Intet projekt har CVR-nr. ${cvr ?? ''}.`,
    'no-period': 'Det er ikke til at se, hvilken periode kvitteringen gælder.',
    'no-duty': `Projektet har ingen frist af den slags for ${period || 'den dag'}.`,
    done: 'Fristen er allerede udført.',
    several: 'Kvitteringen passer til flere åbne frister. Marker selv den rigtige som udført.',
  }
  return texts[why]
}
