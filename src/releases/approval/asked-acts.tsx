import { useState } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { Button } from '../../ui/basic/button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import { MOST_MESSAGE } from '../release/release.ts'
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

/** Files named before the others are unfolded. */
const MOST_FIRST = 3

/** Says who would see which files. */
function Shown({ files, files_total: total, ...group }: ShownToPeople) {
  const who = peopleText(group)
  if (total === null) return <p className="text-meta wrap-anywhere">{who} får alt at se, som kontoret ser.</p>
  const [first, rest] = [files.slice(0, MOST_FIRST), files.slice(MOST_FIRST)]
  return (
    <div className="text-meta wrap-anywhere">
      <p>
        {who} får {total === 1 ? 'en fil' : countFiles(total)} at se:
      </p>
      <FileNames files={first} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer py-1 text-muted hover:text-ink pointer-coarse:py-3">
            Vis {rest.length} til
          </summary>
          <FileNames files={rest} />
          {total > files.length && <p>og {countFiles(total - files.length)} til</p>}
        </details>
      )}
    </div>
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
      doneText="Du har taget det tilbage. Intet er ændret."
      beside={null}
      className="flex justify-start"
    >
      {null}
    </Form>
  )
}

function Answer({ act: { id, asked_by: by } }: { act: WaitingAct }) {
  const [isRejecting, setRejecting] = useState(false)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <Form
          action={urls.askedAct(id, 'approve')}
          submit="Godkend"
          loadingText="Godkender…"
          doneText="Det er godkendt og gjort."
          beside={null}
        >
          {null}
        </Form>
        <span className="noscript:hidden">
          <Button
            type="button"
            kind="secondary"
            aria-expanded={isRejecting}
            onClick={() => setRejecting(!isRejecting)}
          >
            Afvis med besked
          </Button>
        </span>
      </div>
      <div className={isRejecting ? '' : 'hidden noscript:block'}>
        <Form
          action={urls.askedAct(id, 'reject')}
          submit="Afvis"
          loadingText="Afviser…"
          doneText={`Intet er ændret, og ${by} får besked.`}
          kind="secondary"
          beside={null}
          className="grid max-w-md gap-4"
        >
          <TextArea
            name="rejection"
            label={`Besked til ${by}`}
            help="Kun kontoret kan læse beskeden."
            defaultValue=""
            maxLength={MOST_MESSAGE}
          />
        </Form>
      </div>
    </div>
  )
}
