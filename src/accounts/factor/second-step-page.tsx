import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { loginTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { PasskeyButton } from './passkey-button.tsx'

type SecondStepPageProps = {
  next: string
  hasApp: boolean
  /** Whether the person has passkeys, and can use them here. */
  hasPasskeys: boolean
  refused?: RefusedForm
}

/** The second step of the sign-in: a code of the app, a passkey, or a recovery code. */
export function SecondStepPage({ next, hasApp, hasPasskeys, refused }: SecondStepPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Log ind i to trin</h1>
      <p className="mt-1 mb-6 text-muted">
        {hasApp
          ? 'Skriv koden fra appen på din telefon.'
          : 'Bekræft med fingeraftryk, ansigt eller kode på din enhed.'}
      </p>
      {!hasApp && hasPasskeys && (
        <div className="mb-6">
          <PasskeyButton next={next} kind="primary" />
        </div>
      )}
      <Form
        action={urls.secondStep}
        submit="Log ind"
        loadingText="Logger ind…"
        kind={hasApp ? 'primary' : 'secondary'}
        refused={refused}
      >
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={hasApp ? 'Kode' : 'Nødkode'}
          help={hasApp ? 'Eller en af dine nødkoder.' : 'Hvis du ikke kan bruge din enhed.'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form>
      {hasApp && hasPasskeys && (
        <div className="mt-4">
          <PasskeyButton next={next} kind="secondary" />
        </div>
      )}
      <p className="mt-4 text-meta text-muted">Har du ingen af delene, kan kontoret hjælpe dig ind.</p>
      <p className="mt-4">
        <a href={loginTo(next)} className="text-accent underline-offset-2 hover:underline">
          Tilbage til login
        </a>
      </p>
    </PageFrame>
  )
}
