import { useId } from 'react'
import { SCOPES } from '../../rights.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm, type RefusedForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { ShownOnce } from '../../ui/form/shown-once.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { TokenItem } from './token-item.tsx'
import { LIFETIME_NAMES, LIFETIMES, SCOPE_HELP, SCOPE_NAMES, type Token } from './token.ts'

type TokensPageProps = {
  tokens: Token[]
  /** The key that was just made. Its secret is shown this once. */
  made: { id: number; secret: string } | null
  /** Whether the person may make more. */
  mayMake: boolean
  /** When the page was made. */
  now: string
  refused?: RefusedForm
}

/** Where a person makes API keys for their programs, and revokes them. */
export function TokensPage({ tokens, made, mayMake, now, refused }: TokensPageProps) {
  const madeName = tokens.find(({ id }) => id === made?.id)?.name
  return (
    <Shell title="API-nøgler" crumbs={[{ text: 'Min profil', href: urls.profile }]}>
      <div className="grid max-w-[720px] gap-6">
        <p className="-mt-2 text-muted">
          {mayMake
            ? 'Et program med en API-nøgle bruger Ringbind på dine vegne. Det kan aldrig mere end du selv. '
            : 'Kontoret har ikke åbnet for nye nøgler. De, du har, virker stadig. '}
          <a
            href={urls.apiDocs}
            className="text-accent underline underline-offset-2 hover:text-accent-strong"
          >
            Læs, hvordan et program bruger nøglen
          </a>
          .
        </p>
        {made && madeName !== undefined && <MadeToken name={madeName} secret={made.secret} />}
        <section aria-labelledby="tokens" className="rounded-card border border-line bg-surface">
          <h2 id="tokens" className="border-b border-line px-4 py-3 text-section font-semibold sm:px-6">
            Dine API-nøgler
          </h2>
          {tokens.length === 0 ? (
            <div className="sm:px-2">
              <EmptyState text="Du har ingen API-nøgler." />
            </div>
          ) : (
            <ul className="divide-y divide-line">
              {tokens.map((token) => (
                <TokenItem key={token.id} token={token} now={now} revokeAt={urls.revokeOwnToken(token.id)} />
              ))}
            </ul>
          )}
        </section>
        {mayMake && <NewToken refused={refused} />}
      </div>
    </Shell>
  )
}

function NewToken({ refused }: { refused: RefusedForm | undefined }) {
  return (
    <section aria-labelledby="new-token" className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 id="new-token" className="mb-4 text-section font-semibold">
        Ny API-nøgle
      </h2>
      <Form
        action={urls.ownTokens}
        submit="Lav nøglen"
        loadingText="Laver…"
        beside={null}
        refused={refused}
        warnsBeforeLeaving
      >
        <Field
          name="name"
          label="Navn"
          help="For eksempel ”Scanneren i receptionen”."
          autoComplete="off"
          defaultValue={refused?.values.name}
        />
        <ScopesField />
        <SelectField
          name="days"
          label="Virker i"
          options={LIFETIMES.map((days) => ({ value: String(days), text: LIFETIME_NAMES[days] }))}
          defaultValue="90"
        />
      </Form>
    </section>
  )
}

function ScopesField() {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get('scopes')
  const wasSent = Object.keys(values).length > 0
  return (
    <fieldset aria-describedby={faults.length > 0 ? `${id}-fault` : undefined} className="grid gap-3">
      <legend className="mb-1 font-medium">Kan bruges til at</legend>
      {SCOPES.map((scope) => (
        <div key={scope} className="flex items-start gap-2">
          <input
            id={`${id}-${scope}`}
            type="checkbox"
            name={scope}
            value="1"
            data-faults="scopes"
            defaultChecked={wasSent ? scope in values : scope === 'read'}
            aria-invalid={faults.length > 0 || undefined}
            aria-describedby={`${id}-${scope}-help`}
            onChange={() => clear('scopes')}
            className="mt-0.5"
          />
          <div className="grid gap-0.5">
            <label
              htmlFor={`${id}-${scope}`}
              className="font-medium pointer-coarse:-my-3 pointer-coarse:py-3"
            >
              {SCOPE_NAMES[scope]}
            </label>
            <p id={`${id}-${scope}-help`} className="text-meta text-muted">
              {SCOPE_HELP[scope]}
            </p>
          </div>
        </div>
      ))}
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}

function MadeToken({ name, secret }: { name: string; secret: string }) {
  return (
    <ShownOnce head={`Kopier nøglen ”${name}” nu`} secret={secret} copyText="Kopier nøglen">
      Den vises kun nu. Giv den kun til det program, den er til.
    </ShownOnce>
  )
}
