import { useRef, useState } from 'react'
import { PersonPick, type PickedPerson } from '../../accounts/users/person-pick.tsx'
import { Button } from '../../ui/basic/button.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { PickField } from '../../ui/form/pick-field.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { urls } from '../../urls.ts'
import { isTooLong, readFileName } from '../../files/names/file-name.ts'
import { FolderChoice } from '../pile/folder-choice.tsx'
import { isForAll, type Misplaced, type Target, type UploadForm } from '../pile/pile.ts'
import { faultText } from '../names/placing.ts'
import { repaired, type Repair } from '../pile/repair.ts'
import { isPdf, splitSent } from '../pile/split-link.ts'

type Props = { form: UploadForm; onRepair: (misplaced: Misplaced, how: Repair) => void }

/** Lets the user choose where a file belongs, and changes its name to say so. */
export function RepairModal({ form, onRepair }: Props) {
  return (
    <Modal<Misplaced> name="repair" title="Hvor hører filen til?">
      {(misplaced) => (
        <RepairForm
          key={misplaced.upload.id}
          form={form}
          misplaced={misplaced}
          onRepair={(how) => {
            modals.close('repair')
            onRepair(misplaced, how)
          }}
        />
      )}
    </Modal>
  )
}

type FormProps = { form: UploadForm; misplaced: Misplaced; onRepair: (how: Repair) => void }
type ProjectChoice = { id: number; number: string; name: string }

type Said = { isPerson: boolean; project: ProjectChoice | null; user: PickedPerson | null; folder: string }

/** What the user says, and the name that it leads to: the file's own until it leads anywhere. */
function useChoice(form: UploadForm, { upload, fault, target }: Misplaced) {
  const [said, setSaid] = useState<Said>({
    isPerson: form.kind === 'users' || target?.user !== undefined,
    project: target?.project ?? null,
    user: null,
    folder: '',
  })
  const { isPerson, user, folder } = said
  const fixed = form.kind === 'folders' ? form.project : null
  // If the project exists, only the folder is wrong.
  const given = fixed ?? (fault?.kind === 'folder' ? { id: fault.projectId, number: fault.project } : null)
  const project = given ?? said.project
  const key = isPerson ? user?.numbers[0] : project?.number
  const isChosen = key !== undefined && (isPerson || folder !== '')
  const how = isChosen ? repairOf(upload.name, isPerson ? { key, isPerson } : { key, folder }) : null
  const name = how ? repaired(form, upload.name, how) : upload.name
  const say = (more: Partial<Said>) => setSaid((before) => ({ ...before, ...more }))
  return { said, say, given, project, how, name }
}

/** Says only what the file's name says otherwise. */
function repairOf(name: string, chosen: Required<Pick<Repair, 'key'>> & Repair): Repair {
  if (chosen.isPerson) return chosen
  const { folder, key } = readFileName(name) ?? {}
  return {
    ...(chosen.folder !== folder && { folder: chosen.folder }),
    ...(chosen.key !== key && { key: chosen.key }),
  }
}

function RepairForm({ form, misplaced, onRepair }: FormProps) {
  const { upload, fault, target } = misplaced
  const { said, say, given, project, how, name } = useChoice(form, misplaced)
  const { isPerson, user } = said
  const tooLong = isTooLong(name)
  const isNew = name !== upload.name
  const isWhole = isNew && !tooLong

  // The next field, or the button, so that a second Enter submits.
  const box = useRef<HTMLFormElement>(null)
  const next = () => box.current!.querySelector<HTMLElement>('select:enabled, [type=submit]:enabled')

  return (
    <form
      ref={box}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (how && isWhole) onRepair(how)
      }}
    >
      <div>
        <p className="font-medium wrap-anywhere">{upload.name}</p>
        <p className="text-muted">{fault ? faultText(fault) : placeText(target)}</p>
      </div>
      {isForAll(form) && (
        <KindChoice isPerson={isPerson} onChange={(toPerson) => say({ isPerson: toPerson })} />
      )}
      {isPerson ? (
        <PersonPick
          label="Person"
          picked={user}
          onPick={(person) => say({ user: person })}
          next={next}
          whyNot={({ numbers }) => (numbers.length > 0 ? null : 'har intet nummer')}
        />
      ) : (
        <>
          {!given && (
            <PickField<ProjectChoice>
              label="Projekt"
              placeholder="Nummer eller navn"
              route={urls.listProjects}
              picked={said.project}
              onPick={(choice) => say({ project: choice, folder: '' })}
              next={next}
              keyOf={({ id }) => id}
              textOf={(each) => `${each.number} ${each.name}`}
            />
          )}
          <FolderChoice
            key={project?.id}
            project={project?.id}
            named={readFileName(upload.name)?.folder ?? ''}
            onChange={(chosen) => say({ folder: chosen?.name ?? '' })}
            again="Luk, og prøv igen."
            onKnown={() => box.current!.querySelector<HTMLElement>('[type=submit]:enabled')?.focus()}
          />
        </>
      )}
      <p aria-live="polite" className="text-meta text-muted wrap-anywhere">
        {isNew && (tooLong ? `Navnet ville blive for langt: ”${name}”.` : `Nyt navn: ”${name}”.`)}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-3">
        {upload.hashName !== null && isPdf(upload.name) && (
          <a
            href={splitSent(upload.hashName)}
            {...IN_NEW_TAB}
            className="mr-auto inline-flex min-h-7 items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            Til flere: Del og fordel
          </a>
        )}
        <CancelButton />
        <Button type="submit" disabled={!isWhole}>
          Ret navnet
        </Button>
      </div>
    </form>
  )
}

const placeText = (target: Target | undefined) =>
  target?.user
    ? `Filen kommer til ${target.user.name}.`
    : `Filen kommer i ${target?.folder?.name ?? 'mappen'}${target?.project ? ` i projekt ${target.project.number}` : ''}.`

/** Chooses between a project's folder and a person, where a form takes both. */
function KindChoice({ isPerson, onChange }: { isPerson: boolean; onChange: (isPerson: boolean) => void }) {
  return (
    <div className="flex">
      {[false, true].map((each) => (
        <button
          key={String(each)}
          type="button"
          aria-pressed={isPerson === each}
          onClick={() => onChange(each)}
          className="min-h-9 flex-1 cursor-pointer border border-line-strong px-3 not-first:-ml-px first:rounded-l-control last:rounded-r-control aria-pressed:bg-accent-soft aria-pressed:font-semibold pointer-coarse:min-h-11"
        >
          {each ? 'Til en person' : 'Til et projekt'}
        </button>
      ))}
    </div>
  )
}
