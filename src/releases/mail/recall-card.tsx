import { useState } from 'react'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import { regretText, type MailLeaving } from '../mailings/mailing.ts'
import { countPeople, MOST_MESSAGE, type Opener, type Recall } from '../release/release.ts'

type Props = {
  id: number
  recall: Recall
  /** The mail is asked for and has not left. */
  isWaiting: boolean
  leaving: MailLeaving
  refused: RefusedForm | undefined
}

/** Writes to those who had opened files of a recalled release, and says who of them has got the mail. */
export function RecallCard({ id, recall, isWaiting, leaving, refused }: Props) {
  const { openers, message, mail } = recall
  const [text, setText] = useState(refused?.values.message ?? message)
  if (openers.total === 0) return null
  return (
    <section aria-labelledby="recall" className="grid gap-4">
      <h2 id="recall" className="text-section font-semibold">
        {countPeople(openers.total)} havde åbnet nogle af papirerne
      </h2>
      {mail && !isWaiting && (
        <div className="grid gap-6 rounded-card border border-line bg-surface p-4 print:hidden">
          <Form
            action={urls.releaseAct(id, 'tell-openers')}
            submit={submitText(openers)}
            loadingText="Sender…"
            doneText={regretText(leaving)}
            kind="secondary"
            beside={null}
            warnsBeforeLeaving
            refused={refused}
          >
            <TextArea
              name="message"
              label="Skriv til dem, der har åbnet papirerne"
              help={`Også til dem, der har fravalgt mails. Hver får kun nævnt de papirer, de selv har åbnet. ${regretText(leaving)}`}
              defaultValue={message}
              maxLength={MOST_MESSAGE}
              onText={setText}
            />
            <div className="grid gap-2 rounded-control border border-line bg-sunken px-4 py-3">
              <p className="font-medium wrap-anywhere">{mail.subject}</p>
              <p className="text-meta wrap-anywhere whitespace-pre-wrap text-muted">
                {mail.before + text.trim() + mail.after}
              </p>
            </div>
          </Form>
        </div>
      )}
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {openers.rows.map((opener) => (
          <li key={opener.id} className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2">
            <a
              href={urls.user(opener.id)}
              className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere hover:text-accent hover:underline"
            >
              {opener.name}
            </a>
            <span className="text-meta wrap-anywhere text-muted tabular-nums">
              <MailTo opener={opener} sendsMail={leaving.sendsMail} />
            </span>
          </li>
        ))}
        {openers.total > openers.rows.length && (
          <li className="px-4 py-2 text-muted">
            … og {countPeople(openers.total - openers.rows.length)} mere. Hent alle som CSV nedenfor.
          </li>
        )}
      </ul>
    </section>
  )
}

function submitText({ rows, untold }: Recall['openers']): string {
  const whom = untold === 1 ? 'den ene' : `de ${untold}`
  return `Skriv til ${whom}, der ${rows.some((row) => row.mail !== null) ? 'ikke har fået mailen' : 'har åbnet papirerne'}`
}

type MailToProps = { opener: Opener; sendsMail: boolean }

function MailTo({ opener: { is_active: isActive, mail, told_at: at, reason }, sendsMail }: MailToProps) {
  if (at && !sendsMail) return 'Mailen ligger på serveren og er ikke sendt'
  if (at)
    return (
      <>
        Mail sendt <ShortDate at={at} withTime />
      </>
    )
  if (!isActive) return 'Deaktiveret, får ingen mail'
  if (mail === 'failed')
    return <span className="text-danger">Mailen kom ikke frem{reason && `: ${reason}`}</span>
  if (mail === 'waiting') return reason ? `Sendes igen: ${reason}` : 'Mailen er på vej'
  return 'Ingen mail endnu'
}
