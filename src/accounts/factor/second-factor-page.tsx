import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Section } from '../../ui/shell/section.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { proveTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { AddedApp, NewApp, type NewAppProps } from './code-app.tsx'
import type { Factors } from './factor.ts'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export type FactorForm = 'app' | 'passkey' | 'codes'

export type SecondFactorPageProps = {
  factors: Factors
  /** The app that may be added. Null until they prove who they are. */
  newApp: NewAppProps['app'] | null
  takesPasskeys: boolean
  /** Whether they have just chosen their first password, and are offered a passkey alone. */
  isOffered: boolean
  /** 'Chrome på Windows': a name to propose. */
  device: string
  /** Codes that were just made. They are shown once. */
  newCodes: string[] | null
  refused?: RefusedForm & { form: FactorForm }
}

/** Where a person keeps their second factor: an app, passkeys and recovery codes. */
export function SecondFactorPage(props: SecondFactorPageProps) {
  const { factors, newApp, takesPasskeys, isOffered, device, newCodes, refused } = props
  const { factorDue } = useFrame()
  const isOn = factors.app !== null || factors.passkeys.length > 0
  const refusedAt = (form: FactorForm) => (refused?.form === form ? refused : undefined)
  if (isOffered && !factorDue?.isPast) return <FirstPasskey device={device} />
  return (
    <Shell title="Totrinslogin" crumbs={[{ text: 'Min profil', href: urls.profile }]}>
      <div className="grid max-w-[640px] gap-6">
        {factorDue?.isPast && (
          <p className="rounded-control bg-warn-soft p-3 text-warn">
            Kontoret kræver totrinslogin for din rolle. Tilføj en app eller en adgangsnøgle.
          </p>
        )}
        {newCodes && <RecoveryCodes codes={newCodes} />}
        <p className="text-muted">
          {isOn ? 'Totrinslogin er slået til.' : 'Så kan ingen logge ind som dig med adgangskoden alene.'}
        </p>
        <Section title={<Title text="Adgangsnøgler" isOn={factors.passkeys.length > 0} />}>
          <p className="mb-4 text-muted">Fingeraftryk, ansigt eller skærmkode i stedet for adgangskode.</p>
          {takesPasskeys || factors.passkeys.length > 0 ? (
            <Passkeys
              passkeys={factors.passkeys}
              mayAdd={takesPasskeys}
              device={device}
              refused={refusedAt('passkey')}
            />
          ) : (
            <p className="text-meta text-muted">Adgangsnøgler kræver en adresse med https.</p>
          )}
        </Section>
        <Section title={<Title text="Kode-app" isOn={factors.app !== null} />}>
          {factors.app === null && newApp === null ? (
            <AskFirst />
          ) : factors.app === null ? (
            <NewApp
              app={newApp!}
              kind={isOn || takesPasskeys ? 'secondary' : 'primary'}
              refused={refusedAt('app')}
            />
          ) : (
            <AddedApp at={factors.app} refused={refusedAt('app')} />
          )}
        </Section>
        {isOn && (
          <Section title="Nødkoder">
            <p className="mb-4 text-muted">
              {leftText(factors.codesLeft)} Hver virker én gang, hvis du mister telefonen.
            </p>
            <Form
              action={urls.recoveryCodes}
              submit="Lav nye nødkoder"
              loadingText="Laver koder…"
              kind="secondary"
              beside={null}
              refused={refusedAt('codes')}
            >
              <p className="text-meta text-muted">De gamle holder op med at virke.</p>
            </Form>
          </Section>
        )}
      </div>
    </Shell>
  )
}

/** Offers a passkey after the first password. */
function FirstPasskey({ device }: { device: string }) {
  return (
    <Shell title="Log lettere ind næste gang">
      <div className="grid max-w-[640px] gap-6">
        <Section title="Opret en adgangsnøgle">
          <p className="mb-4 text-muted">
            Din adgangskode er gemt. Næste gang kan du nøjes med fingeraftryk, ansigt eller skærmkode.
          </p>
          <Passkeys passkeys={[]} mayAdd device={device} refused={undefined} submit="Opret adgangsnøgle" />
        </Section>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LinkButton kind="secondary" href={urls.start}>
            Ikke nu
          </LinkButton>
          <span className="text-muted">
            Du kan gøre det senere under{' '}
            <a href={urls.factors} className="underline underline-offset-2">
              Totrinslogin
            </a>
            .
          </span>
        </p>
      </div>
    </Shell>
  )
}

function leftText(left: number): string {
  if (left === 0) return 'Du har ingen nødkoder tilbage.'
  return left === 1 ? 'Du har én nødkode tilbage.' : `Du har ${left} nødkoder tilbage.`
}

function AskFirst() {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <span className="min-w-0 flex-1 basis-64 text-muted">
        En app på telefonen viser en kode til hvert login.
      </span>
      <LinkButton kind="secondary" href={proveTo(urls.factors)}>
        Tilføj en app
      </LinkButton>
    </p>
  )
}

const Title = ({ text, isOn }: { text: string; isOn: boolean }) => (
  <>
    {text}
    {isOn && <Chip tone="accent" text="Slået til" />}
  </>
)
