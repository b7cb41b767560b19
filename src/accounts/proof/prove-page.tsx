import { useEffect } from 'react'
import { PROOF_PREFIX, PROVE_TITLE } from '../../base/prove.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { ProviderButton } from '../oidc/provider.ts'
import { ProviderButtons, ProviderProblem } from '../oidc/provider-buttons.tsx'
import { ProveFields, ProveText } from './prove-fields.tsx'

type ProvePageProps = {
  /** Where the person was going. */
  to: string
  /** The fields of the form that they had sent there; null if they followed a link, or there are too many to carry. */
  fields: Record<string, string> | null
  /** Whether they have just proved who they are, and continue by a link. */
  isProved?: boolean
  /** The fault of a provider. */
  problem?: string | null
  refused?: RefusedForm
}

/** Asks for a proof after a link, or in a browser without scripts. */
export function ProvePage({ to, fields, isProved = false, problem = null, refused }: ProvePageProps) {
  const { user } = useFrame()
  const places = Array.isArray(user?.provesWith) ? user.provesWith : null
  return (
    <Shell title={isProved ? 'Tak' : PROVE_TITLE}>
      <div className="max-w-[480px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <ProviderProblem text={problem} />
        {isProved ? (
          <GoOn to={to} />
        ) : places ? (
          <Elsewhere places={places} to={fields ? urls.start : to} />
        ) : (
          <Question to={to} fields={fields} refused={refused} />
        )}
      </div>
    </Shell>
  )
}

/** A sent form cannot be carried through a provider, so the person continues from the start page. */
function Elsewhere({ places, to }: { places: ProviderButton[]; to: string }) {
  return (
    <>
      <ProveText />
      <ProviderButtons providers={places} actionOf={({ key }) => urls.proveWith(key)} next={to} isAlone />
    </>
  )
}

function Question({
  to,
  fields,
  refused,
}: Pick<ProvePageProps, 'to' | 'fields'> & { refused: RefusedForm | undefined }) {
  return (
    <Form action={urls.prove} submit="Bekræft" beside={null} refused={refused} isPlain>
      <ProveText />
      <input type="hidden" name={`${PROOF_PREFIX}to`} value={to} />
      {fields && <input type="hidden" name={`${PROOF_PREFIX}form`} value="1" />}
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ProveFields />
    </Form>
  )
}

/** A download leaves the page where it is, so it says what happens. */
function GoOn({ to }: { to: string }) {
  useEffect(() => location.assign(to), [to])
  return (
    <div className="grid gap-4">
      <p>Du har bekræftet, at det er dig. Sker der ikke noget, så tryk på Fortsæt.</p>
      <div className="flex flex-wrap gap-3">
        <LinkButton href={to}>Fortsæt</LinkButton>
        <LinkButton kind="secondary" href={urls.start}>
          Til forsiden
        </LinkButton>
      </div>
    </div>
  )
}
