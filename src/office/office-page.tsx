import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { MailTrial } from '../server/try-mail.ts'
import { CheckField } from '../ui/form/check-field.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { Section } from '../ui/shell/section.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import { LogoField } from './logo-field.tsx'
import { MOST_WORD_LETTERS, type EditedOffice } from './office.ts'
import { ReadingCard } from './reading-card.tsx'
import type { ReadingState } from './reading-state.ts'
import { outcomeOf } from './test-mail.ts'

type OfficePageProps = {
  office: EditedOffice
  /** Where mails are sent from, and the mail server's host; null if there is none. */
  mail: { server: string | null; from: string }
  reading: ReadingState
  refused?: RefusedForm
  approvalRefused?: RefusedForm
  placingRefused?: RefusedForm
  /** Words that mean the same in a search: a line for each meaning. */
  words: string
  wordsRefused?: RefusedForm
  logoFaults?: string[]
  /** The mail server's answer to a test mail that was sent without JavaScript. */
  trial?: MailTrial
}

export function OfficePage({
  office,
  mail,
  reading,
  refused,
  approvalRefused,
  placingRefused,
  words,
  wordsRefused,
  logoFaults,
  trial,
}: OfficePageProps) {
  return (
    <Shell title="Kontoret">
      <p className="-mt-4 mb-6 max-w-[640px] text-muted">
        Ses ved login, i menuen, i mails og på udskrifter. Alt kan stå tomt.
      </p>
      <div className="grid max-w-[640px] gap-6">
        <Section title="Logo">
          <LogoField faults={logoFaults ?? []} />
        </Section>
        <Section title="Oplysninger">
          <Form
            action={urls.office}
            submit="Gem"
            loadingText="Gemmer…"
            doneText="Kontorets oplysninger er gemt."
            beside={null}
            refused={refused}
            was={valuesOf(office)}
            warnsBeforeLeaving
          >
            <Field
              name="name"
              label="Navn"
              autoComplete="organization"
              defaultValue={refused?.values.name ?? office.name}
            />
            <Field
              name="contact_person"
              label="Kontaktperson"
              autoComplete="off"
              defaultValue={refused?.values.contact_person ?? office.contactPerson}
            />
            <Field
              name="phone"
              label="Telefon"
              type="tel"
              autoComplete="off"
              defaultValue={refused?.values.phone ?? office.phone}
            />
            <Field
              name="email"
              label="E-mail"
              help="Hertil kommer svar på mails fra Ringbind."
              type="email"
              autoComplete="off"
              defaultValue={refused?.values.email ?? office.email}
            />
          </Form>
        </Section>
        <Section title="Godkendelse">
          <OneChoice
            action={urls.officeApproval}
            refused={approvalRefused}
            isChosen={office.needsApproval}
            name="needs_approval"
            label="Udgivelser skal godkendes af en kollega"
            help="Gælder filer, som andre end kontoret kan se."
          />
        </Section>
        <Section title="Upload">
          <OneChoice
            action={urls.officePlacing}
            refused={placingRefused}
            isChosen={office.placesSure}
            name="places_sure"
            label="Sikre papirer lægges på plads af sig selv"
            help="Når papiret selv siger, hvor det hører til. Det kan fortrydes, før I gemmer."
          />
        </Section>
        <Section title="Mails" id="mail">
          {mail.server === null ? <NoMail /> : <MailTest {...mail} server={mail.server} first={trial} />}
        </Section>
        <Section title="Søgning i dokumenter">
          <ReadingCard reading={reading} />
        </Section>
        <Section title="Ord, der betyder det samme">
          <Form
            action={urls.officeWords}
            submit="Gem ordene"
            loadingText="Gemmer…"
            doneText="Ordene er gemt."
            beside={null}
            refused={wordsRefused}
            was={{ search_words: words }}
            warnsBeforeLeaving
          >
            <TextArea
              name="search_words"
              label="Jeres egne ord"
              help="Én linje for hver betydning, for eksempel: budget, overslag."
              defaultValue={wordsRefused?.values.search_words ?? words}
              maxLength={MOST_WORD_LETTERS}
            />
          </Form>
        </Section>
      </div>
    </Shell>
  )
}

type OneChoiceProps = {
  action: string
  refused: RefusedForm | undefined
  isChosen: boolean
  name: string
  label: string
  help: string
}

/** A form with one check box. `was` is what the page showed. */
function OneChoice({ action, refused, isChosen, ...box }: OneChoiceProps) {
  return (
    <Form
      action={action}
      submit="Gem valget"
      loadingText="Gemmer…"
      doneText="Det er gemt."
      beside={null}
      refused={refused}
      warnsBeforeLeaving
    >
      <input type="hidden" name="was" value={isChosen ? '1' : '0'} />
      <CheckField {...box} defaultChecked={isChosen} />
    </Form>
  )
}

function NoMail() {
  return (
    <p className="flex gap-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
      <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span>
        Der er ikke sat en mailserver op (SMTP_URL), så mails ligger som filer på serveren. Invitationer giver
        du selv videre.
      </span>
    </p>
  )
}

type MailTestProps = { server: string; from: string; first: MailTrial | undefined }

function MailTest({ server, from, first }: MailTestProps) {
  const { user } = useFrame()
  const [trial, setTrial] = useState(first ?? null)
  const to = user?.email ?? ''
  return (
    <div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-muted">Afsender</dt>
        <dd className="wrap-anywhere">{from}</dd>
        <dt className="text-muted">Mailserver</dt>
        <dd className="wrap-anywhere">{server}</dd>
      </dl>
      <output className="my-4 block">{trial && <Outcome trial={trial} to={to} />}</output>
      <Form
        action={urls.testMail}
        submit="Send en prøvemail"
        loadingText="Sender…"
        flash="Prøvet"
        kind="secondary"
        beside={<p className="mr-auto self-center text-muted wrap-anywhere">Den sendes til {to}.</p>}
        onDone={(answer) => setTrial((answer as { trial: MailTrial }).trial)}
      />
    </div>
  )
}

function Outcome({ trial, to }: { trial: MailTrial; to: string }) {
  const isGood = trial.kind === 'accepted'
  const Icon = isGood ? CircleCheck : TriangleAlert
  return (
    <span
      className={`flex gap-2 rounded-control px-3 py-2 ${isGood ? 'bg-ok-soft text-ok' : 'bg-danger-soft text-danger'}`}
    >
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">{outcomeOf(trial, to)}</span>
    </span>
  )
}

const valuesOf = ({ name, contactPerson, phone, email }: EditedOffice) => ({
  name,
  contact_person: contactPerson,
  phone,
  email,
})
