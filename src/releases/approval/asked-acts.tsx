import { countFiles } from '../../projects/folder.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { AnswerForms } from './answer-forms.tsx'
import { peopleText, reachedText, whoText, type ShownToPeople, type WaitingAct } from './asked.ts'

export type AskedActs = { acts: WaitingAct[]; total: number; approvers: string[] }

/** Lists acts that wait for a colleague: others' to answer, and one's own to withdraw. */
export function AskedActList({ acts, total, approvers }: AskedActs) {
  return (
    <ul>
      {acts.map((act) => (
        <li
          key={act.id}
          className="grid gap-3 border-b border-line px-4 py-3 last:rounded-b-card last:border-0"
        >
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <span className="font-medium">{act.says}</span>
              <span className="block text-meta text-muted">
                {act.is_own ? `Du bad om det. ${whoText(approvers)}` : `${act.asked_by} beder om det.`}{' '}
                {act.shows.length === 0 && reachedText(act.reached)} Bortfalder{' '}
                <ShortDate at={act.lapses_at} />, hvis ingen svarer.
              </span>
            </span>
            <span className="text-meta text-muted tabular-nums">
              <ShortDate at={act.asked_at} withTime />
            </span>
          </div>
          {act.shows.map((group) => (
            <Shown key={`${group.files_total} ${group.people.join()}`} {...group} />
          ))}
          {act.is_own ? <TakeBack id={act.id} /> : <Answer act={act} />}
        </li>
      ))}
      {total > acts.length && (
        <li className="px-4 py-3 text-meta text-muted">
          De nyeste {acts.length} af {total}. Svar på dem for at se de andre.
        </li>
      )}
    </ul>
  )
}

/** Says who would see which files: one at once, more when they are asked for. */
function Shown({ files, files_total: total, ...group }: ShownToPeople) {
  const who = peopleText(group)
  if (total === null) return <p className="text-meta wrap-anywhere">{who} får alt at se, som kontoret ser.</p>
  const [only] = files
  if (total === 1 && only)
    return (
      <p className="text-meta wrap-anywhere">
        {who} får {only.name} <span className="text-muted">({only.place})</span> at se.
      </p>
    )
  return (
    <details className="text-meta wrap-anywhere">
      <summary className="cursor-pointer py-1 hover:text-accent pointer-coarse:py-3">
        {who} får {countFiles(total)} at se
      </summary>
      <FileNames files={files} />
      {total > files.length && <p>og {countFiles(total - files.length)} til</p>}
    </details>
  )
}

function FileNames({ files }: Pick<ShownToPeople, 'files'>) {
  return (
    <ul className="list-disc pl-5">
      {files.map(({ id, name, place }) => (
        <li key={id}>
          {name} <span className="text-muted">({place})</span>
        </li>
      ))}
    </ul>
  )
}

function TakeBack({ id }: { id: string }) {
  return (
    <Form
      action={urls.askedAct(id, 'take-back')}
      submit="Tag tilbage"
      kind="secondary"
      doneText="Taget tilbage. Intet er ændret."
      beside={null}
      className="flex justify-start"
    />
  )
}

const Answer = ({ act: { id, asked_by: by } }: { act: WaitingAct }) => (
  <AnswerForms
    addressOf={(answer) => urls.askedAct(id, answer)}
    approvedText="Det er godkendt og gjort."
    rejectedText={`Intet er ændret, og ${by} får besked.`}
    asker={by}
    help="Kun kontoret kan læse beskeden."
    className="grid gap-3"
  />
)
