import { useFrame } from '../../ui/basic/frame.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { PasswordField } from '../passwords/password-field.tsx'
import type { Session } from '../session/session.ts'

type Props = {
  refused: RefusedForm | undefined
  /** Called with the sessions that are left. */
  onSessions: (sessions: Session[]) => void
}

export function ChangePasswordForm({ refused, onSessions }: Props) {
  const { user } = useFrame()
  return (
    <Form
      action={urls.profilePassword}
      submit="Skift adgangskode"
      kind="secondary"
      beside={null}
      refused={refused}
      onDone={(answer) => onSessions((answer as { sessions: Session[] }).sessions)}
    >
      {/* Tells the browser's password manager whose password it is. */}
      <input type="text" name="username" value={user?.email} autoComplete="username" readOnly hidden />
      <Field
        name="current_password"
        label="Nuværende adgangskode"
        type="password"
        autoComplete="current-password"
      />
      <PasswordField label="Ny adgangskode" />
      <p className="text-meta text-muted">Du bliver logget ud på alle andre enheder.</p>
    </Form>
  )
}

/** For somebody who signs in at a provider only. */
export function NoPassword() {
  return (
    <p>
      Du logger ind uden adgangskode. Vil du også have en, så{' '}
      <a href={urls.forgotPassword} className="text-accent underline underline-offset-2">
        få tilsendt et link
      </a>
      .
    </p>
  )
}
