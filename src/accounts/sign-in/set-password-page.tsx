import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'
import type { ProviderButton } from '../oidc/provider.ts'
import { ProviderButtons, ProviderProblem } from '../oidc/provider-buttons.tsx'
import { PasswordField } from '../passwords/password-field.tsx'

type SetPasswordPageProps = {
  kind: 'reset' | 'invitation'
  /** The name that a greeting says. */
  greeted: string
  email: string
  /** Ways to accept an invitation without a password, and what went wrong with one. None for a new password. */
  elsewhere: { token: string; providers: ProviderButton[]; problem: string | null } | null
  refused?: RefusedForm
}

const WORDS = {
  reset: {
    title: 'Vælg ny adgangskode',
    about: 'Du bliver logget ud på andre enheder.',
  },
  invitation: { title: 'Velkommen til Ringbind', about: 'Vælg en adgangskode.' },
}

export function SetPasswordPage({ kind, greeted, email, elsewhere, refused }: SetPasswordPageProps) {
  const { path } = useFrame()
  const { title, about } = WORDS[kind]
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="mt-1 mb-6 text-muted">
        Hej {greeted}. {about}
      </p>
      <ProviderProblem text={elsewhere?.problem ?? null} />
      <Form action={path} submit="Gem adgangskode" refused={refused}>
        {/* Tells the browser's password manager whose password it is. */}
        <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
        <PasswordField label="Ny adgangskode" />
      </Form>
      {elsewhere && (
        <ProviderButtons
          providers={elsewhere.providers}
          actionOf={({ key }) => urls.acceptWith(elsewhere.token, key)}
        />
      )}
    </PageFrame>
  )
}
