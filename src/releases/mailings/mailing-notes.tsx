import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { isWaiting, mailingText, type Mailing } from './mailing.ts'

type Props = {
  mailings: readonly Mailing[]
  sendsMail: boolean
  /** The address that undoes waiting mails, the same for all or one for each. */
  regret: string | ((mailing: Mailing) => string)
}

/** Tells of mails to several people: who asked for them, when they leave or left, and offers to regret those that wait. */
export function MailingNotes({ mailings, sendsMail, regret }: Props) {
  if (mailings.length === 0) return null
  return (
    <ul aria-label="Mails, som kontoret har bedt om" className="grid gap-3">
      {mailings.map((mailing) => (
        <li key={mailing.id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className={`min-w-0 wrap-anywhere ${isWaiting(mailing) ? 'font-medium' : 'text-muted'}`}>
            <MailingText mailing={mailing} sendsMail={sendsMail} />
          </p>
          {isWaiting(mailing) && (
            <RegretMailsButton action={typeof regret === 'string' ? regret : regret(mailing)} />
          )}
        </li>
      ))}
    </ul>
  )
}

function MailingText({ mailing, sendsMail }: { mailing: Mailing; sendsMail: boolean }) {
  const { asked_by: by, asked_at: at, leaves_at: leaves, left_at: left, regretted_at: regretted } = mailing
  const what = mailingText(mailing)
  if (regretted !== null)
    return (
      <>
        {what} blev fortrudt <ShortDate at={regretted} withTime="spoken" /> af {mailing.regretted_by}. Ingen
        har fået den.
      </>
    )
  if (left !== null)
    return (
      <>
        {what} {sendsMail ? 'sendt' : 'lagt på serveren, ikke sendt,'}{' '}
        <ShortDate at={left} withTime="spoken" /> for {by}.
      </>
    )
  return (
    <>
      {what} {sendsMail ? 'sendes' : 'lægges på serveren, ikke sendt,'} tidligst{' '}
      <ShortDate at={leaves} withTime="spoken" />. {by} bad om den <ShortDate at={at} withTime="spoken" />.
    </>
  )
}

/** Takes mails to several people back before they leave. */
export const RegretMailsButton = ({ action }: { action: string }) => (
  <Form
    action={action}
    submit="Fortryd mailen"
    loadingText="Fortryder…"
    doneText="Mailen er fortrudt, og ingen får den."
    kind="secondary"
    beside={null}
  />
)
