import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Section } from '../../ui/shell/section.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { showToast } from '../../ui/overlay/toasts.ts'
import { changeOwnUser } from '../../ui/shell/use-own-user.ts'
import { isOffice, may } from '../../rights.ts'
import { urls } from '../../urls.ts'
import { FactorLink } from '../factor/factor-link.tsx'
import { IdentityList } from '../oidc/identity-list.tsx'
import type { Identity, ProviderButton } from '../oidc/provider.ts'
import { ProviderProblem } from '../oidc/provider-buttons.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { MAIL_RATE_NAMES, MAIL_RATES, type MailRate } from '../users/mail-rate.ts'
import { ChangePasswordForm, NoPassword } from './change-password-form.tsx'
import { ProfileImageField } from './profile-image-field.tsx'
import { SessionList } from './session-list.tsx'
import type { Warnings } from './profile.db.ts'
import { WarningsForm } from './warnings-form.tsx'
import type { Session } from '../session/session.ts'

export type ProfileForm = 'name' | 'image' | 'password' | 'mails' | 'warnings' | 'identity'

type ProfilePageProps = {
  sessions: Session[]
  /** How often the person gets mails about new files, or in the office about what investors send. */
  mailRate: MailRate
  /** Whether the person has an app or a passkey. */
  hasFactor: boolean
  /** Whether an administrator gets mails about accounts that are guessed at; null for others. */
  warnings: Warnings | null
  /** Whether the person has API keys, or may make some. */
  hasPrograms: boolean
  /** Somebody who accepted their invitation with a provider has none. */
  hasPassword: boolean
  identities: Identity[]
  /** Other places to sign in at, and what went wrong there. */
  providers: ProviderButton[]
  problem: string | null
  /** The action just completed, when the page works without JavaScript. */
  done: string | null
  refused?: RefusedForm & { form: ProfileForm }
}

const PASSWORD_DONE = 'Din adgangskode er ændret, og du er logget ud på alle andre enheder.'

const DONE = new Map([
  ['name', 'Dit navn er gemt.'],
  ['image', 'Dit profilbillede er ændret.'],
  ['mails', 'Dit valg er gemt.'],
  ['password', PASSWORD_DONE],
  ['session', 'Enheden er logget ud.'],
  ['sessions', 'Du er logget ud på alle andre enheder.'],
  ['identity-linked', 'Dit login er tilknyttet.'],
  ['identity-unlinked', 'Dit tilknyttede login er fjernet.'],
])

export function ProfilePage(props: ProfilePageProps) {
  const { sessions: atFirst, mailRate, hasFactor, warnings, done, refused } = props
  const { hasPassword, hasPrograms, identities, providers, problem } = props
  const { user } = useFrame()
  const [sessions, setSessions] = useState(atFirst)
  const [passwords, setPasswords] = useState(0)
  const [imageFaults, setImageFaults] = useState(
    () => (refused?.form === 'image' && refused.errors.file) || [],
  )
  const said = DONE.get(done ?? '')
  const refusedAt = (form: ProfileForm) => (refused?.form === form ? refused : undefined)
  const heading = useRef<HTMLHeadingElement>(null)

  // An error about an image disappears as soon as something else succeeds.
  function onName({ name }: { name: string }): void {
    changeOwnUser({ name })
    setImageFaults([])
  }

  function onSessions(left: Session[]): void {
    setSessions(left)
    setImageFaults([])
  }

  function onPassword(left: Session[]): void {
    onSessions(left)
    setPasswords((count) => count + 1) // empties the fields
    showToast(PASSWORD_DONE)
    heading.current?.focus()
  }

  return (
    <Shell title="Min profil">
      {said && <Said text={said} />}
      <div className="max-w-[640px]">
        <ProviderProblem text={problem} />
      </div>
      <div className="grid max-w-[640px] gap-6">
        <Section title="Profilbillede">
          <ProfileImageField faults={imageFaults} onFaults={setImageFaults} />
        </Section>
        <Section title="Oplysninger">
          <Form
            action={urls.profile}
            submit="Gem navn"
            beside={null}
            refused={refusedAt('name')}
            was={{ name: user?.name ?? '' }}
            onDone={(answer) => onName(answer as { name: string })}
          >
            <Field
              name="name"
              label="Navn"
              autoComplete="name"
              defaultValue={refusedAt('name')?.values.name ?? user?.name}
            />
            <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
              <dt className="text-muted">E-mail</dt>
              <dd className="wrap-anywhere">{user?.email}</dd>
              <dt className="text-muted">Rolle</dt>
              <dd>{user?.roleName}</dd>
            </dl>
            <p className="-mt-2 text-meta text-muted">E-mail og rolle kan kun ændres af en administrator.</p>
          </Form>
        </Section>
        <Section title={isOffice(user!.role) ? 'Besked, når investorer sender filer' : 'Mails om nye filer'}>
          <Form action={urls.profileMails} submit="Gem valg" beside={null} refused={refusedAt('mails')}>
            <SelectField
              name="mail_rate"
              label="Hvor ofte?"
              options={MAIL_RATES.map((rate) => ({ value: rate, text: MAIL_RATE_NAMES[rate] }))}
              defaultValue={mailRate}
            />
            <p className="-mt-2 text-meta text-muted">
              Samlet i én mail kl. 08.00, hver dag eller hver mandag.
            </p>
          </Form>
        </Section>
        {warnings !== null && (
          <Section title="Advarsler på mail">
            <WarningsForm warnings={warnings} refused={refusedAt('warnings')} />
          </Section>
        )}
        {may(user!.role, 'seeObligations') && (
          <LinkSection
            title="Frister i din kalender"
            text="Se dine frister i Outlook eller en anden kalender."
            link={{ text: 'Hemmelig adresse til kalenderen', href: urls.ownCalendar }}
          />
        )}
        {may(user!.role, 'lendAccess') && (
          <LinkSection
            title="Adgang for andre"
            text="Lad en ægtefælle eller revisor se det, du kan se."
            link={{ text: 'Se og giv adgang', href: urls.ownLendings }}
          />
        )}
        <Section title="Adgangskode" headingRef={heading}>
          {hasPassword ? (
            <ChangePasswordForm key={passwords} refused={refusedAt('password')} onSessions={onPassword} />
          ) : (
            <NoPassword />
          )}
        </Section>
        <Section title="Totrinslogin">
          <FactorLink hasFactor={hasFactor} />
        </Section>
        {(providers.length > 0 || identities.length > 0) && (
          <Section title="Andre måder at logge ind på">
            <IdentityList identities={identities} providers={providers} refused={refusedAt('identity')} />
          </Section>
        )}
        <Section title="Enheder, du er logget ind på">
          <SessionList sessions={sessions} onSessions={onSessions} />
        </Section>
        {hasPrograms && <Programs />}
      </div>
    </Shell>
  )
}

function Said({ text }: { text: string }) {
  return (
    <output className="mb-6 flex gap-2 rounded-control bg-ok-soft px-3 py-2 text-ok">
      <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {text}
    </output>
  )
}

/** Leads to the person's API keys. */
function Programs() {
  return (
    <LinkSection
      title="Andre programmer"
      text="Lad et program, for eksempel en scanner, bruge Ringbind på dine vegne."
      link={{ text: 'Se og lav API-nøgler', href: urls.ownTokens }}
    />
  )
}

type LinkSectionProps = { title: string; text: string; link: { text: string; href: string } }

/** A section that leads to a page of its own. */
function LinkSection({ title, text, link }: LinkSectionProps) {
  return (
    <Section title={title}>
      <p className="mb-4 text-muted">{text}</p>
      <div className="flex justify-end">
        <LinkButton kind="secondary" href={link.href}>
          {link.text}
        </LinkButton>
      </div>
    </Section>
  )
}
