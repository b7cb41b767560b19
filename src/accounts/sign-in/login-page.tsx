import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'
import { PasskeyButton } from '../factor/passkey-button.tsx'
import type { ProviderButton } from '../oidc/provider.ts'
import { ProviderButtons, ProviderProblem } from '../oidc/provider-buttons.tsx'

type LoginPageProps = {
  next: string
  /** Whether there are no users yet. */
  isNew: boolean
  /** Whether passkeys can be used at this address. */
  takesPasskeys: boolean
  /** Other places to sign in at, and what went wrong there. */
  providers: ProviderButton[]
  problem: string | null
  refused?: RefusedForm
}

export function LoginPage({ next, isNew, takesPasskeys, providers, problem, refused }: LoginPageProps) {
  return (
    <PageFrame width="max-w-[440px]" helpText="Kan du ikke logge ind?">
      <h1 className="text-title font-semibold">Log ind</h1>
      <p className="mt-1 mb-6 text-muted">Styr på projekternes dokumenter.</p>
      {isNew && (
        <p className="mb-6 rounded-control bg-warn-soft p-3 text-warn">
          Ringbind er ikke sat op endnu. Åbn linket, som terminalen viste, da Ringbind startede.
        </p>
      )}
      <ProviderProblem text={problem} />
      <Form action={urls.login} submit="Log ind" loadingText="Logger ind…" refused={refused}>
        <input type="hidden" name="next" value={next} />
        <Field name="email" label="E-mail" type="email" autoComplete="username" />
        <Field name="password" label="Adgangskode" type="password" autoComplete="current-password" />
      </Form>
      {takesPasskeys && (
        <div className="mt-4">
          <PasskeyButton next={next} kind="secondary" />
        </div>
      )}
      <p className="mt-4">
        <a href={urls.forgotPassword} className="text-accent underline-offset-2 hover:underline">
          Glemt adgangskode?
        </a>
      </p>
      {!isNew && (
        <ProviderButtons providers={providers} actionOf={({ key }) => urls.signInWith(key)} next={next} />
      )}
    </PageFrame>
  )
}
