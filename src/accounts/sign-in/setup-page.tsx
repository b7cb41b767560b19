import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'
import { PasswordField } from '../passwords/password-field.tsx'

type SetupPageProps = { token: string; refused?: RefusedForm }

export function SetupPage({ token, refused }: SetupPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Velkommen til Ringbind</h1>
      <p className="mt-1 mb-6 text-muted">Opret den første administrator. Bagefter inviterer du de andre.</p>
      <Form action={urls.setup} submit="Opret administrator" loadingText="Opretter…" refused={refused}>
        <input type="hidden" name="token" value={token} />
        <Field name="name" label="Navn" autoComplete="name" />
        <Field name="email" label="E-mail" type="email" autoComplete="username" />
        <PasswordField label="Adgangskode" />
      </Form>
    </PageFrame>
  )
}
