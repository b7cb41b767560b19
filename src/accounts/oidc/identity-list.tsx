import { KeyRound } from 'lucide-react'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { Identity, ProviderButton } from './provider.ts'

type Props = {
  identities: Identity[]
  providers: ProviderButton[]
  /** The identity that could not be removed, without JavaScript. */
  refused?: RefusedForm | undefined
}

/** Lists a person's logins at other places, with a button to remove each and one to link another. */
export function IdentityList({ identities, providers, refused }: Props) {
  return (
    <div className="grid gap-4">
      {refused && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2 text-danger">
          {refused.message}
        </p>
      )}
      {identities.length === 0 ? (
        <p className="text-muted">
          Du har ikke tilknyttet noget endnu. Din adgangskode virker stadig bagefter.
        </p>
      ) : (
        <ul aria-label="Tilknyttede login" className="divide-y divide-line">
          {identities.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </ul>
      )}
      {providers.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {providers.map(({ key, name }) => (
            <Form
              key={key}
              action={urls.linkProvider(key)}
              submit={`Tilknyt ${name}`}
              kind="secondary"
              beside={null}
              loadingText="Sender dig videre…"
            />
          ))}
        </div>
      )}
    </div>
  )
}

function IdentityRow({ identity: { id, name, linked_at: linked, used_at: used } }: { identity: Identity }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 sm:gap-x-4 first:pt-0 last:pb-0">
      <KeyRound
        size={20}
        strokeWidth={1.75}
        aria-hidden="true"
        className="shrink-0 text-muted max-sm:hidden"
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-meta text-muted tabular-nums">
          <span className="inline-block max-sm:block sm:mr-3">
            Tilknyttet <ShortDate at={linked} withTime />
          </span>
          <span className="inline-block">
            {used === null ? (
              'Ikke brugt endnu'
            ) : (
              <>
                Sidst brugt <ShortDate at={used} withTime />
              </>
            )}
          </span>
        </p>
      </div>
      <Form action={urls.unlinkIdentity(id)} submit={`Fjern ${name}`} kind="secondary" beside={null} />
    </li>
  )
}
