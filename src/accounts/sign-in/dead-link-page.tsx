import { MailCheck } from 'lucide-react'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'

type DeadLinkPageProps = {
  kind: 'reset' | 'invitation'
  /** Where a new link is asked for. */
  again: string
  /** Whether one was asked for just now. */
  isSent: boolean
  refused?: RefusedForm
}

const WHY = {
  reset: 'Det er enten brugt eller udløbet.',
  invitation:
    'Det er brugt, udløbet eller erstattet af et nyere. Har du allerede valgt en adgangskode, kan du logge ind.',
}

/** Says that a link is dead, and offers a new one. Looks the same for a link that never existed. */
export function DeadLinkPage({ kind, again, isSent, refused }: DeadLinkPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Linket virker ikke længere</h1>
      {isSent ? (
        <div className="mt-4 flex items-start gap-3 rounded-control bg-ok-soft p-3 text-ok">
          <MailCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          <p>
            Hvis linket var dit, har vi sendt et nyt til samme e-mail. Kig også i uønsket post, eller kontakt
            kontoret.
          </p>
        </div>
      ) : (
        <>
          <p className="mt-3 mb-6 text-muted">{WHY[kind]} Vi kan sende et nyt til samme e-mail.</p>
          <Form action={again} submit="Send mig et nyt link" loadingText="Sender…" refused={refused} />
        </>
      )}
      <p className="mt-4">
        <a href={urls.login} className="text-accent underline-offset-2 hover:underline">
          Tilbage til login
        </a>
      </p>
    </PageFrame>
  )
}
