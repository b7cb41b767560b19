import { Form } from '../../ui/form/form.tsx'
import type { ProviderButton } from './provider.ts'

type Props = {
  providers: ProviderButton[]
  actionOf: (provider: ProviderButton) => string
  /** Where the sign-in leads, if it is asked for. */
  next?: string
  /** Whether there is no other form above. */
  isAlone?: boolean
}

/** The buttons under a password form that lead to other places to sign in. Nothing if there are none. */
export function ProviderButtons({ providers, actionOf, next, isAlone = false }: Props) {
  if (providers.length === 0) return null
  return (
    <div className="mt-6">
      {!isAlone && (
        <p className="mb-4 flex items-center gap-3 text-meta text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          eller
        </p>
      )}
      <div className="grid gap-3">
        {providers.map((provider) => (
          <Form
            key={provider.key}
            action={actionOf(provider)}
            submit={provider.button}
            kind="secondary"
            loadingText="Sender dig videre…"
          >
            {next !== undefined && <input type="hidden" name="next" value={next} />}
          </Form>
        ))}
      </div>
    </div>
  )
}

/** Says why a sign-in at a provider failed. */
export function ProviderProblem({ text }: { text: string | null }) {
  return (
    text !== null && (
      <p role="alert" className="mb-6 rounded-control bg-warn-soft px-3 py-2 text-warn">
        {text}
      </p>
    )
  )
}
