import { KeyRound, Smartphone } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Chip } from '../../ui/basic/chip.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { proveTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import type { Factors, Passkey } from './factor.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { usePasskey } from './use-passkey.ts'

export type FactorForm = 'app' | 'passkey' | 'codes'

export type SecondFactorPageProps = {
  factors: Factors
  /** The app that may be added: its secret to type, the address that opens it, and the squares of its QR code. Null until they prove who they are. */
  newApp: { text: string; address: string; squares: { size: number; path: string } } | null
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
            Kontoret kræver totrinslogin for din rolle. Tilføj en app eller en adgangsnøgle for at komme
            videre.
          </p>
        )}
        {newCodes && <RecoveryCodes codes={newCodes} />}
        <p className="text-muted">
          {isOn
            ? 'Totrinslogin er slået til. Når du logger ind, bekræfter du med mere end din adgangskode.'
            : 'Med totrinslogin kan ingen logge ind som dig, selv om de kender din adgangskode.'}
        </p>
        <Section title="Adgangsnøgler" isOn={factors.passkeys.length > 0}>
          <p className="mb-4 text-muted">
            Log ind med fingeraftryk, ansigt eller skærmkode på din telefon eller computer. Så behøver du ikke
            adgangskoden.
          </p>
          {takesPasskeys || factors.passkeys.length > 0 ? (
            <Passkeys
              passkeys={factors.passkeys}
              mayAdd={takesPasskeys}
              device={device}
              refused={refusedAt('passkey')}
            />
          ) : (
            <p className="text-meta text-muted">
              Adgangsnøgler kan bruges, når Ringbind har en adresse med https.
            </p>
          )}
        </Section>
        <Section title="Kode-app" isOn={factors.app !== null}>
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
              {leftText(factors.codesLeft)} En nødkode lukker dig ind én gang, hvis du har mistet din telefon.
            </p>
            <Form
              action={urls.recoveryCodes}
              submit="Lav nye nødkoder"
              loadingText="Laver koder…"
              kind="secondary"
              beside={null}
              refused={refusedAt('codes')}
            >
              <p className="text-meta text-muted">De gamle virker ikke længere, når du har lavet nye.</p>
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
            Din adgangskode er gemt. Med en adgangsnøgle logger du ind med fingeraftryk, ansigt eller
            skærmkode på din telefon eller computer og behøver ikke adgangskoden.
          </p>
          <Passkeys passkeys={[]} mayAdd device={device} refused={undefined} submit="Opret adgangsnøgle" />
        </Section>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LinkButton kind="secondary" href={urls.start}>
            Ikke nu
          </LinkButton>
          <span className="text-muted">
            Du kan altid oprette en senere under{' '}
            <a href={urls.factors} className="underline underline-offset-2">
              Totrinslogin
            </a>{' '}
            på din profil.
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
        Med en app på telefonen får du en ny kode, hver gang du logger ind.
      </span>
      <LinkButton kind="secondary" href={proveTo(urls.factors)}>
        Tilføj en app
      </LinkButton>
    </p>
  )
}

type NewAppProps = {
  app: NonNullable<SecondFactorPageProps['newApp']>
  kind: 'primary' | 'secondary'
  refused: RefusedForm | undefined
}

function NewApp({ app, kind, refused }: NewAppProps) {
  const { size, path } = app.squares
  return (
    <>
      <p className="mb-4 text-muted">
        Brug en app som Google Authenticator, Microsoft Authenticator eller en adgangskodeadministrator. Scan
        koden med appen, og skriv de seks cifre, den viser.
      </p>
      <div className="mb-4 flex flex-wrap items-start gap-6">
        <svg
          aria-label="QR-kode til din app"
          viewBox={`-4 -4 ${size + 8} ${size + 8}`}
          shapeRendering="crispEdges"
          className="w-44 shrink-0 rounded-control border border-line"
        >
          <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">Er appen på denne telefon, eller kan du ikke scanne?</p>
          <p className="mb-1 text-meta text-muted">Åbn appen herfra, eller skriv nøglen i den:</p>
          <code className="wrap-anywhere select-all">{app.text}</code>
          <div className="mt-3 flex flex-wrap gap-3">
            <LinkButton kind="secondary" href={app.address}>
              Åbn appen
            </LinkButton>
            <CopyButton text={app.text.replaceAll(' ', '')} />
          </div>
        </div>
      </div>
      <Form
        action={urls.codeApp}
        submit="Tilføj appen"
        kind={kind}
        loadingText="Tilføjer…"
        said="Appen er tilføjet."
        beside={null}
        refused={refused}
      >
        <Field
          name="code"
          label="Koden fra appen"
          inputMode="numeric"
          autoComplete="one-time-code"
          defaultValue=""
          size={10}
        />
      </Form>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    // Without https the browser gives no clipboard; the text can be marked and copied by hand.
    await navigator.clipboard?.writeText(text)
    setCopied(Boolean(navigator.clipboard))
  }
  return (
    <span className="noscript:hidden">
      <Button type="button" kind="secondary" onClick={() => void copy()}>
        {isCopied ? 'Kopieret' : 'Kopier nøglen'}
      </Button>
    </span>
  )
}

function AddedApp({ at, refused }: { at: string; refused: RefusedForm | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Smartphone size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1">
        Tilføjet <ShortDate at={at} />
      </p>
      <Form
        action={urls.removeCodeApp}
        submit="Fjern"
        loadingText="Fjerner…"
        said="Appen er fjernet."
        kind="quiet"
        beside={null}
        refused={refused}
      >
        {null}
      </Form>
    </div>
  )
}

type PasskeysProps = {
  passkeys: Passkey[]
  mayAdd: boolean
  device: string
  refused: RefusedForm | undefined
  submit?: string
}

function Passkeys({ passkeys, mayAdd, device, refused, submit = 'Tilføj adgangsnøgle' }: PasskeysProps) {
  const { isBusy, fault, make } = usePasskey()
  const [name, setName] = useState(device)
  const faults = fault ? [fault] : refused ? [refused.message] : []
  return (
    <>
      {passkeys.length > 0 && (
        <ul aria-label="Adgangsnøgler" className="mb-4 divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0">
              <KeyRound size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{passkey.name}</p>
                <p className="text-meta text-muted tabular-nums">
                  Tilføjet <ShortDate at={passkey.added_at} />
                  {passkey.used_at ? (
                    <>
                      , sidst brugt <ShortDate at={passkey.used_at} withTime />
                    </>
                  ) : (
                    ', ikke brugt endnu'
                  )}
                </p>
              </div>
              <Form
                action={urls.removePasskey(passkey.id)}
                submit="Fjern"
                loadingText="Fjerner…"
                said={`Adgangsnøglen ${passkey.name} er fjernet.`}
                kind="quiet"
                beside={null}
              >
                {null}
              </Form>
            </li>
          ))}
        </ul>
      )}
      {mayAdd && (
        <form
          className="grid gap-4 noscript:hidden"
          onSubmit={(event) => {
            event.preventDefault()
            void make(name)
          }}
        >
          <Field
            name="name"
            label="Navn"
            help="Så du kan kende den igen, for eksempel ”Min telefon”."
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className="flex justify-end">
            <Button
              type="submit"
              kind={passkeys.length > 0 ? 'secondary' : 'primary'}
              loading={isBusy}
              loadingText="Venter på din enhed…"
            >
              {submit}
            </Button>
          </div>
        </form>
      )}
      {faults.length > 0 && (
        <div role="alert">
          <Faults id="passkey-fault" faults={faults} />
        </div>
      )}
    </>
  )
}

function Section({ title, isOn, children }: { title: string; isOn?: boolean; children: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 className="mb-4 flex flex-wrap items-center gap-2 text-section font-semibold">
        {title}
        {isOn && <Chip tone="accent" text="Slået til" />}
      </h2>
      {children}
    </section>
  )
}
