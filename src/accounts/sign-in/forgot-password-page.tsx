import { MailCheck } from 'lucide-react'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'

type ForgotPasswordPageProps = { sent: boolean; refused?: RefusedForm }

export function ForgotPasswordPage({ sent, refused }: ForgotPasswordPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Glemt adgangskode</h1>
      {sent ? (
        <div className="mt-4 flex items-start gap-3 rounded-control bg-ok-soft p-3 text-ok">
          <MailCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          <p>Kender vi den e-mail, har vi sendt et link. Kig også i uønsket post.</p>
        </div>
      ) : (
        <>
          <p className="mt-1 mb-6 text-muted">Skriv din e-mail, så sender vi et link.</p>
          <Form action={urls.forgotPassword} submit="Send link" loadingText="Sender…" refused={refused}>
            <Field name="email" label="E-mail" type="email" autoComplete="username" />
          </Form>
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
