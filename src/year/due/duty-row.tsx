import { ChevronRight, FileUp } from 'lucide-react'
import { dayOffName, dayText, workdayFrom } from '../../base/time/holidays.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Field } from '../../ui/form/field.tsx'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { folderAnchor, urls } from '../../urls.ts'
import { DutyReceipts } from '../receipts/duty-receipts.tsx'
import type { Receipt } from '../receipts/receipt.ts'
import { ActForm } from '../obligations/act-form.tsx'
import { OPEN_STATES } from '../obligations/duty-state.ts'
import { dutyTitle, isOfEvent, MOST_IN_NOTE, type Duty } from '../obligations/duty.ts'
import { ExcuseForm } from '../obligations/excuse-form.tsx'
import { DUE_ROW, LastDay } from './last-day.tsx'

const LINK =
  'inline-flex min-h-6 items-center underline-offset-2 hover:text-accent hover:underline pointer-coarse:min-h-11'

type Props = {
  duty: Duty
  people: { id: number; name: string }[]
  today: string
  /** The receipt it is ended with, or those that somebody may end it with. */
  receipts: Receipt[]
  /** The form about its responsible, if it is shown again. */
  refused: RefusedForm | undefined
}

/** One duty. Its rule and buttons open below it. */
export function DutyRow({ duty, people, today, receipts, refused }: Props) {
  const { project, done, excused } = duty
  const isOfExcuse = refused?.values.excuse !== undefined
  return (
    <li className="acting-row relative px-4 py-3">
      <div className={DUE_ROW}>
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">
            {duty.folder ? (
              <a href={urls.paper(duty.folder.id, duty.period)} className={LINK}>
                {dutyTitle(duty)}
              </a>
            ) : (
              dutyTitle(duty)
            )}
          </p>
          <a href={urls.files(project.id)} className={`text-muted wrap-anywhere ${LINK}`}>
            {project.number} {project.name}
          </a>
        </div>
        <div className="min-w-0">
          {done === null ? (
            <LastDay dueOn={duty.due_on} today={today} />
          ) : (
            <p className="tabular-nums text-muted">Frist: {dayText(duty.due_on)}</p>
          )}
        </div>
        <div className="min-w-0">
          {done === null ? <Responsible duty={duty} /> : <Done duty={duty} />}
          {duty.folder && OPEN_STATES.some((state) => state === duty.state) && (
            <a
              href={urls.uploadTo(project.id, duty.folder.id)}
              aria-label={`Upload ${dutyTitle(duty)}, ${project.name}`}
              className="inline-flex min-h-6 items-center gap-1 text-accent hover:underline pointer-coarse:min-h-11 print:hidden"
            >
              <FileUp size={16} strokeWidth={1.75} aria-hidden="true" />
              Upload
            </a>
          )}
          {excused && (
            <p className="mt-1 text-meta text-muted wrap-anywhere">
              Undtaget{excused.by && ` af ${excused.by}`}: {excused.reason}
            </p>
          )}
        </div>
      </div>
      <DutyReceipts isDone={done !== null} receipts={receipts} />
      <details open={refused !== undefined} className="group/duty max-md:mt-1">
        {/* At the end of the row where there is room for it. */}
        <summary className="row-act inline-flex min-h-8 cursor-pointer list-none items-center gap-1 text-accent hover:underline pointer-coarse:min-h-11 md:absolute md:top-2 md:right-4 print:hidden">
          <ChevronRight
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className="transition-transform group-open/duty:rotate-90"
          />
          {done === null ? 'Handlinger' : 'Detaljer'}
          <span className="sr-only">
            {' '}
            ({dutyTitle(duty)}, {project.name})
          </span>
        </summary>
        <div className="mt-3 grid gap-6 border-t border-line pt-3 pb-2 md:grid-cols-2">
          <About duty={duty} />
          {done === null ? (
            <div className="grid content-start gap-6">
              <FinishForm duty={duty} />
              <GiveForm duty={duty} people={people} refused={isOfExcuse ? undefined : refused} />
              <ExcuseForm
                duty={duty.id}
                excuse={excused?.reason ?? null}
                refused={isOfExcuse ? refused : undefined}
              />
              {isOfEvent(duty) && <WithdrawForm duty={duty} />}
            </div>
          ) : (
            !done.is_by_paper && <ReopenForm duty={duty} />
          )}
        </div>
      </details>
    </li>
  )
}

function Responsible({ duty: { responsible, obligation_id: rule, state } }: { duty: Duty }) {
  if (state === 'draft') return <Chip tone="accent" text="Kladde" />
  if (!responsible)
    return rule === null ? (
      <p className="text-muted">Papiret er ikke kommet</p>
    ) : (
      <Chip tone="warn" text="Ingen ansvarlig" />
    )
  return (
    <p className="wrap-anywhere">
      {responsible.name}
      {!responsible.is_active && (
        <span className="block text-meta text-warn">er ikke længere på kontoret og får ikke besked</span>
      )}
    </p>
  )
}

function Done({ duty }: { duty: Duty }) {
  const { at, by, note, is_by_paper: isByPaper } = duty.done!
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <Chip tone="ok" text="Udført" />
        <ShortDate at={at} />
      </p>
      <p className="mt-1 text-meta text-muted wrap-anywhere">
        {isByPaper ? <>Papiret ligger i {duty.folder && <FolderLink duty={duty} />}</> : by && `Af ${by}`}
      </p>
      {note !== '' && <p className="mt-1 wrap-anywhere">{note}</p>}
    </>
  )
}

function FolderLink({ duty: { project, folder } }: { duty: Duty }) {
  return (
    <a
      href={`${urls.files(project.id)}#${folderAnchor(folder!.id)}`}
      className="underline underline-offset-2 hover:text-ink"
    >
      {folder!.name}
    </a>
  )
}

/** The rule behind the duty, and where it is written. */
function About({ duty }: { duty: Duty }) {
  const { explanation, source, source_url: address, folder, due_on: due } = duty
  return (
    <div className="grid content-start gap-2">
      {dayOffName(due) !== null && (
        <p>
          Fristen falder på en fridag og er ikke flyttet. Den første hverdag derefter er{' '}
          {dayText(workdayFrom(due))}.
        </p>
      )}
      {explanation !== '' && <p className="whitespace-pre-line text-muted wrap-anywhere">{explanation}</p>}
      {source !== '' && (
        <p className="text-muted wrap-anywhere">
          Kilde:{' '}
          {address === '' ? (
            source
          ) : (
            <a href={address} rel="noreferrer" className="text-accent underline underline-offset-2">
              {source}
            </a>
          )}
        </p>
      )}
      {duty.is_filing && duty.done === null && (
        <p className="text-muted">
          Marker fristen, når der er indberettet. Et papir i en mappe er ikke en indberetning.
        </p>
      )}
      {folder && duty.done === null && (
        <p className="text-muted">
          Fristen er udført, når periodens papir ligger synligt i <FolderLink duty={duty} />.
        </p>
      )}
    </div>
  )
}

function FinishForm({ duty }: { duty: Duty }) {
  return (
    <ActForm
      action={urls.dutyAct(duty.id, 'done')}
      submit="Marker som udført"
      doneText={`${dutyTitle(duty)} er markeret som udført. Du kan fortryde det under Udført.`}
      className="grid gap-3"
    >
      <Field name="note" label="Bemærkning (kan udelades)" autoComplete="off" maxLength={MOST_IN_NOTE} />
    </ActForm>
  )
}

function GiveForm({ duty, people, refused }: Omit<Props, 'today' | 'receipts'>) {
  const { responsible } = duty
  const isListed = people.some(({ id }) => id === responsible?.id)
  const options = [
    { value: '', text: 'Ingen ansvarlig' },
    ...(responsible && !isListed ? [{ value: String(responsible.id), text: responsible.name }] : []),
    ...people.map(({ id, name }) => ({ value: String(id), text: name })),
  ]
  return (
    <ActForm
      action={urls.dutyAct(duty.id, 'responsible')}
      submit="Skift ansvarlig"
      doneText="Den ansvarlige er ændret."
      was={{ responsible_id: responsible?.id ?? null }}
      refused={refused}
      className="grid gap-3"
    >
      <SelectField
        name="responsible_id"
        label="Ansvarlig"
        options={options}
        defaultValue={String(responsible?.id ?? '')}
      />
    </ActForm>
  )
}

function WithdrawForm({ duty }: { duty: Duty }) {
  return (
    <ActForm
      action={urls.dutyAct(duty.id, 'withdraw')}
      submit="Træk hændelsen tilbage"
      doneText="Hændelsen er trukket tilbage."
    />
  )
}

function ReopenForm({ duty }: { duty: Duty }) {
  return (
    <ActForm
      action={urls.dutyAct(duty.id, 'reopen')}
      submit="Fortryd: ikke udført"
      doneText={`${dutyTitle(duty)} er åben igen.`}
    />
  )
}
