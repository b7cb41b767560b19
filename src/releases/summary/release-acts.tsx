import { useState } from 'react'
import { dayOf, shortDateTime } from '../../base/time/dates.ts'
import { Button } from '../../ui/basic/button.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { AskedForm } from '../../ui/form/asked-form.tsx'
import { DateField } from '../../ui/form/date-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { ApprovalActs } from '../approval/approval-acts.tsx'
import { findObstacle, type Approval } from '../approval/approval.ts'
import { regretText, type MailingKind, type MailLeaving } from '../mailings/mailing.ts'
import { RegretButton, ReleaseActButton } from '../release/release-act-button.tsx'
import { effectText } from './effect-text.ts'
import { leftOutText, remindedText } from './reminded-text.ts'
import {
  countPeople,
  isPossible,
  type PeopleCounts,
  type Release,
  type ReleaseAct,
  type ReleaseForm,
} from '../release/release.ts'

const ASKED = 'En kollega skal godkende, før papirerne udgives.'

type Props = {
  release: Release
  counts: PeopleCounts
  /** How many papers stay held when the others are published. */
  held: number
  approval: Approval
  /** The kinds of mails that are asked for and have not left. */
  waiting: readonly MailingKind[]
  leaving: MailLeaving
  refusedAt: (form: ReleaseForm) => RefusedForm | undefined
}

/** Shows the buttons for what the state of a release allows this person. */
export function ReleaseActs({ release, counts, held, approval, waiting, leaving, refusedAt }: Props) {
  const { id, state } = release
  const situation = {
    state,
    verdict: approval.verdict,
    isAsker: approval.is_asker,
    hasTime: release.publish_at !== null,
  }
  const may = (act: ReleaseAct) => findObstacle(act, situation) === null
  const refused = refusedAt('plan')
  const [isPlanning, setPlanning] = useState(refused !== undefined)
  return (
    <div className="grid gap-4 print:hidden">
      <EffectLine {...{ release, counts, held, approval, leaving }} isApprover={may('approve')} />
      {may('approve') && (
        <ApprovalActs
          papers={approval.papers}
          release={release}
          isAtOnce={release.publish_at === null || approval.is_overdue}
          refused={refusedAt('reject')}
        />
      )}
      <div className="flex flex-wrap items-start gap-3 empty:hidden">
        {may('publish') && <PublishButton release={release} approval={approval} />}
        {may('plan') && (
          <span className="noscript:hidden">
            <Button
              type="button"
              kind="secondary"
              aria-expanded={isPlanning}
              onClick={() => setPlanning(!isPlanning)}
            >
              {release.publish_at !== null ? 'Skift tidspunkt' : 'Udgiv senere'}
            </Button>
          </span>
        )}
        {may('hold') && (
          <ReleaseActButton
            id={id}
            act="hold"
            text="Gør til kladde"
            loadingText="Gemmer…"
            doneText={
              state === 'waiting'
                ? 'Papirerne er en kladde igen.'
                : 'Papirerne udgives ikke længere automatisk.'
            }
          />
        )}
        {may('discard') && <DiscardButton release={release} />}
        {may('remind') && leaving.sendsMail && !waiting.includes('reminder') && (
          <RemindButton id={id} counts={counts} leaving={leaving} />
        )}
        {may('undo-recall') && (
          <AskedForm
            name="undo-recall"
            action={urls.releaseAct(id, 'undo-recall')}
            submit="Udgiv igen"
            kind="secondary"
            title="Udgiv papirerne igen?"
            text={`${countPeople(counts.reached)} uden for kontoret kan se papirerne igen. ${againText(counts.again, leaving)}`}
            loadingText="Udgiver…"
            doneText="Papirerne kan ses igen."
          />
        )}
        <WayBack release={release} opened={counts.opened} may={may} />
      </div>
      {may('plan') && (
        <div className={isPlanning ? '' : 'hidden noscript:block'}>
          <PlanForm release={release} approval={approval} refused={refused} />
        </div>
      )}
    </div>
  )
}

type WayBackProps = { release: Release; opened: number; may: (act: ReleaseAct) => boolean }

/** Undoes a release until somebody was mailed or has opened a paper; afterwards recalls it, with a list of who has. */
function WayBack({ release, opened, may }: WayBackProps) {
  const { id } = release
  if (may('regret') && release.announced_at === null && opened === 0) return <RegretButton id={id} />
  if (!may('recall')) return null
  return (
    <AskedForm
      name="recall-release"
      action={urls.releaseAct(id, 'recall')}
      submit="Træk tilbage"
      kind="secondary"
      title="Træk papirerne tilbage?"
      text={
        <>
          Fra nu af kan kun kontoret se papirerne.{' '}
          {release.versions_count > 0 && 'Erstattede papirer viser den forrige version igen. '}
          {recallText(opened)} Du kan udgive dem igen.
        </>
      }
      answer="danger"
      loadingText="Trækker tilbage…"
      doneText="Papirerne er trukket tilbage."
    />
  )
}

type RemindProps = { id: number; counts: PeopleCounts; leaving: MailLeaving }

/** Reminds those who were mailed and have opened nothing. */
function RemindButton({ id, counts, leaving }: RemindProps) {
  const { unopened } = counts
  if (unopened === 0) return null
  return (
    <AskedForm
      name="remind"
      action={urls.releaseAct(id, 'remind')}
      submit={`Send påmindelse til ${remindedText(counts)}, der ikke har åbnet`}
      kind="secondary"
      title={`Send påmindelse til ${countPeople(unopened)}?`}
      text={`De har fået mail om papirerne og ikke åbnet nogen. ${leftOutText(counts)}${regretText(leaving)}`}
      loadingText="Sender…"
      doneText={regretText(leaving)}
    />
  )
}

type EffectProps = Omit<Props, 'waiting' | 'refusedAt'> & { isApprover: boolean }

/** Says what the button that publishes will do, before it is pressed. */
function EffectLine({ release, counts, held, approval, leaving, isApprover }: EffectProps) {
  const { timeZone } = useFrame()
  if (!isPossible('publish', release.state)) return null
  const presser = isApprover ? 'approver' : approval.verdict === 'asked' ? 'colleague' : 'publisher'
  // *Udgiv nu* does not wait for the planned time.
  const at = presser === 'publisher' || approval.is_overdue ? null : release.publish_at
  const effect = { presser, papers: release.files_count, held, at, counts, leaving } as const
  return <p className="font-medium">{effectText(effect, timeZone)}</p>
}

function againText(people: number, leaving: MailLeaving): string {
  if (people === 0) return 'Ingen får en ny mail.'
  return `${countPeople(people)}, som ikke nåede at få mail, får den nu. ${regretText(leaving)}`
}

function DiscardButton({ release: { id, versions_count: versions } }: { release: Release }) {
  return (
    <ReleaseActButton
      id={id}
      act="discard"
      text="Slet alle papirer"
      loadingText="Sletter…"
      doneText={
        versions > 0
          ? 'Nye papirer ligger i papirkurven, nye versioner i papirernes historik.'
          : 'Papirerne ligger i papirkurven.'
      }
      kind="quiet"
    />
  )
}

type PublishProps = { release: Release; approval: Approval }

function PublishButton({ release: { id, state }, approval: { verdict, papers } }: PublishProps) {
  const isAsking = verdict === 'asked'
  const words = isAsking
    ? {
        text: state === 'draft' ? 'Bed om godkendelse' : 'Udgiv nu, når det er godkendt',
        loadingText: 'Sender…',
        doneText: ASKED,
      }
    : { text: 'Udgiv nu', loadingText: 'Udgiver…', doneText: 'Papirerne er udgivet.' }
  const kind = isAsking && state !== 'draft' ? 'secondary' : 'primary'
  return <ReleaseActButton id={id} act="publish" {...words} kind={kind} papers={papers} />
}

function recallText(opened: number): string {
  if (opened === 0) return 'Ingen uden for kontoret har åbnet dem endnu.'
  return `${countPeople(opened)} har åbnet nogle af dem; du får en liste.`
}

type PlanProps = PublishProps & { refused: RefusedForm | undefined }

function PlanForm({ release, approval: { verdict, papers }, refused }: PlanProps) {
  const isAsking = verdict === 'asked'
  return (
    <Form
      action={urls.releaseAct(release.id, 'plan')}
      submit={isAsking && release.state !== 'waiting' ? 'Planlæg, og bed om godkendelse' : 'Planlæg'}
      loadingText="Planlægger…"
      doneText={isAsking ? ASKED : 'Udgivelsen er planlagt.'}
      kind="secondary"
      beside={null}
      refused={refused}
      was={{ publish_at: release.publish_at }}
      className="grid max-w-md gap-4"
    >
      <input type="hidden" name="papers" value={papers} />
      <PlanFields planned={release.publish_at} />
    </Form>
  )
}

/** Begins with the present plan, if there is one. */
function PlanFields({ planned }: { planned: string | null }) {
  const { timeZone } = useFrame()
  const { errors, clear, values } = useForm()
  const [day, setDay] = useState(planned && dayOf(planned, timeZone))
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <DateField
        name="publish_day"
        label="Udgives den"
        choose="Vælg dato"
        value={day}
        sent={values.publish_day}
        fault={errors.get('publish_day')[0] ?? null}
        onChange={(next) => {
          setDay(next)
          clear('publish_day')
        }}
      />
      <Field
        name="publish_time"
        label="Klokken"
        defaultValue={values.publish_time ?? (planned ? shortDateTime(planned, timeZone).slice(-5) : '09.00')}
        inputMode="numeric"
        maxLength={5}
      />
    </div>
  )
}
