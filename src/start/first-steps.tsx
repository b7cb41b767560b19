import { Circle, CircleCheck } from 'lucide-react'
import { Form } from '../ui/form/form.tsx'
import { urls } from '../urls.ts'
import type { Decision, FirstSteps as Steps, Step } from './first-steps.ts'
import { StartSection } from './sections/start-section.tsx'

type Words = { title: string; why: string; href: string; settle?: { decision: Decision; text: string } }

const WORDS: Record<Step | 'no-mail', Words> = {
  office: {
    title: 'Skriv, hvem I er',
    why: 'Navn, logo og kontakt ved login, i mails og på udskrifter.',
    href: urls.office,
  },
  mail: {
    title: 'Send en prøvemail',
    why: 'Så ved I, at invitationer og beskeder når frem.',
    href: `${urls.office}#mail`,
  },
  'no-mail': {
    title: 'Tag stilling til mails',
    why: 'Få en mailserver sat op, eller giv selv links videre.',
    href: `${urls.office}#mail`,
    settle: { decision: 'mail', text: 'Vi klarer os uden mails' },
  },
  folders: {
    title: 'Se mappeskabelonen igennem',
    why: 'Hvert nyt projekt får sine mapper fra den.',
    href: urls.templateFolders,
    settle: { decision: 'folders', text: 'Den er god, som den er' },
  },
  project: {
    title: 'Opret det første projekt',
    why: 'Det samler mapper, filer og læsere.',
    href: urls.newProject,
  },
  person: {
    title: 'Inviter den første person',
    why: 'Kolleger, investorer og revisorer får hver sit login.',
    href: urls.newUser,
  },
  pile: {
    title: 'Læg den første bunke op',
    why: 'Træk filerne ind. Ringbind foreslår, hvor de hører til.',
    href: urls.upload,
  },
}

/** Leads a new office through its first steps. Each is ticked off by what the office has done. */
export function FirstSteps({ steps, hasMailServer }: Steps) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <StartSection title="Kom i gang">
      <p className="px-4 pt-3 text-meta text-muted">{`${done} af ${steps.length} er gjort.`}</p>
      <ol>
        {steps.map(({ step, isDone }) => (
          <StepItem
            key={step}
            isDone={isDone}
            {...WORDS[step === 'mail' && !hasMailServer ? 'no-mail' : step]}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <p className="text-muted">
          Ligger alt på et drev eller i et regneark?{' '}
          <a href={urls.import} className="whitespace-nowrap text-accent underline underline-offset-2">
            Flyt ind
          </a>
        </p>
        <div className="max-sm:-ml-4 sm:-mr-4">
          <DecisionForm decision="hidden" text="Skjul" kind="quiet" doneText="Listen er skjult." />
        </div>
      </div>
    </StartSection>
  )
}

function StepItem({ isDone, title, why, href, settle }: Words & { isDone: boolean }) {
  const Icon = isDone ? CircleCheck : Circle
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 hover:bg-hover">
      <span className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon
          size={20}
          strokeWidth={1.75}
          aria-hidden="true"
          className={`shrink-0 ${isDone ? 'text-ok' : 'text-muted'}`}
        />
        <span className="min-w-0">
          <a
            href={href}
            className={`after:absolute after:inset-0 hover:text-accent hover:underline ${isDone ? 'text-muted' : 'font-medium'}`}
          >
            {title}
          </a>
          {isDone && <span className="sr-only"> (gjort)</span>}
          {!isDone && <span className="block text-meta text-muted">{why}</span>}
        </span>
      </span>
      {settle && !isDone && (
        <div className="relative max-sm:pl-8">
          <DecisionForm {...settle} kind="secondary" />
        </div>
      )}
    </li>
  )
}

type DecisionProps = { decision: Decision; text: string; kind: 'secondary' | 'quiet'; doneText?: string }

function DecisionForm({ decision, text, kind, doneText }: DecisionProps) {
  return (
    <Form
      action={urls.firstSteps}
      submit={text}
      kind={kind}
      loadingText={`${text}…`}
      beside={null}
      className="contents"
      {...(doneText && { doneText })}
    >
      <input type="hidden" name="decision" value={decision} />
    </Form>
  )
}
