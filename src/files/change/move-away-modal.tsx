import { useRef, useState, type ComponentProps } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { PersonPick, type PickedPerson } from '../../accounts/users/person-pick.tsx'
import { formatCount } from '../../base/danish/counts.ts'
import { hasOwnFiles } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { fileUrls } from '../../urls.ts'
import { movedName } from '../names/file-name.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import { postAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import { namesOf } from './use-many-acts.ts'
import { MOST_NAMED, MoveReaders, type NewPlace } from './move-readers.tsx'
import { ProjectPick, type ProjectPlace } from './project-pick.tsx'

type Files = readonly Picked[]
/** The files, and the text of a search for a folder that found none: it may name another project. */
export type Leaving = { files: Files; searched?: string }
type Props = {
  owner: FileOwner
  /** The numbers of the present place, which names may contain. */
  numbers: readonly string[]
  onMoved: (files: Files) => void
  onUndone: (files: Files) => void
}
type Place = ProjectPlace & {
  kind: 'person' | 'project'
  person: PickedPerson | null
}

/** Moves files to another project, or to a person. */
export function MoveAwayModal(props: Props) {
  return (
    <Modal<Leaving> name="move-away" title={({ files }) => `Flyt ${namesOf(files)} til et andet sted`}>
      {(leaving) => <Question {...leaving} {...props} />}
    </Modal>
  )
}

const KINDS = [
  ['project', 'Et projekt'],
  ['person', 'En person'],
] as const

function Question({ files, searched, owner, numbers, onMoved, onUndone }: Props & Leaving) {
  const said = namesOf(files)
  const isOne = files.length === 1
  const [place, setPlace] = useState<Place>({
    kind: 'user' in owner ? 'person' : 'project',
    person: null,
    project: null,
    folder: null,
  })
  const [follows, setFollows] = useState(false)
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submitButton = () => form.current!.querySelector<HTMLElement>('[type=submit]')
  const target = targetOf(place)
  const names = target ? files.flatMap(({ file }) => movedName(file.name, numbers, target.numbers) ?? []) : []
  const isRenamed = follows && names.length > 0

  function change(changes: Partial<Place>): void {
    setPlace((before) => ({ ...before, ...changes }))
    setFault('')
  }

  async function move(): Promise<void> {
    if (isBusy) return
    if (!target) return setFault(`Vælg, hvor ${isOne ? 'filen' : 'filerne'} skal flyttes hen.`)
    setBusy(true)
    setFault('')
    const ids = files.map(({ file }) => file.id)
    const outcome = await postAct(fileUrls.many(owner, 'move'), {
      files: ids,
      ...target.sent,
      ...(isRenamed && { rename: true }),
    })
    setBusy(false)
    if (outcome.fault !== null) return setFault(outcome.fault)
    modals.close('move-away')
    if (outcome.asked === null) onMoved(files)
    else onUndone(files)
    const now = isRenamed && isOne ? ` og hedder nu ${names[0]}` : ''
    return tellAct(outcome.asked ?? `${said} er flyttet til ${target.name}${now}.`, outcome.undo, {
      label: `Fortryd flytning af ${said}`,
      onOver: () => onUndone(files),
    })
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void move()
      }}
      className="grid gap-4"
    >
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="mb-1 font-medium">Flyt til</legend>
        {KINDS.map(([kind, text]) => (
          <label key={kind} className="inline-flex min-h-8 items-center gap-2">
            <input type="radio" name="kind" checked={place.kind === kind} onChange={() => change({ kind })} />
            {text}
          </label>
        ))}
      </fieldset>
      {place.kind === 'person' ? (
        <PersonPick
          label="Person"
          picked={place.person}
          onPick={(person) => change({ person })}
          next={submitButton}
          whyNot={({ id, role }) =>
            'user' in owner && id === owner.user
              ? `har ${isOne ? 'filen' : 'filerne'} nu`
              : hasOwnFiles(role)
                ? null
                : 'er ikke investor'
          }
        />
      ) : (
        <ProjectPick files={files} place={place} first={searched} onChange={change} next={submitButton} />
      )}
      {names.length > 0 && (
        <NameFollows
          names={names}
          isOne={isOne}
          checked={follows}
          onChange={(event) => setFollows(event.currentTarget.checked)}
        />
      )}
      <MoveReaders owner={owner} files={files} to={target?.sent ?? null} />
      <div role="alert">
        <Faults id="move-away-fault" faults={fault === '' ? [] : [fault]} />
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" loading={isBusy} loadingText="Flytter…">
          {isOne ? 'Flyt filen' : `Flyt ${said}`}
        </Button>
      </div>
    </form>
  )
}

type Target = {
  name: string
  numbers: readonly string[]
  sent: NewPlace
}

function targetOf({ kind, person, project, folder }: Place): Target | null {
  if (kind === 'person')
    return person && { name: person.name, numbers: person.numbers, sent: { user_id: person.id } }
  return (
    project &&
    folder && {
      name: `${folder.name} i ${project.name}`,
      numbers: [project.number],
      sent: { folder_id: folder.id },
    }
  )
}

/** Asks whether names get the number of the new place, and shows the new names. */
function NameFollows({
  names,
  isOne,
  ...box
}: { names: string[]; isOne: boolean } & Pick<ComponentProps<'input'>, 'checked' | 'onChange'>) {
  const hidden = names.length - MOST_NAMED
  return (
    <div className="flex items-start gap-2">
      <input id="name-follows" type="checkbox" aria-describedby="name-followed" {...box} className="mt-0.5" />
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor="name-follows" className="font-medium pointer-coarse:-my-3 pointer-coarse:py-3">
          {isOne ? 'Ret nummeret i navnet' : 'Ret nummeret i navnene'}
        </label>
        <p id="name-followed" className="text-meta wrap-anywhere text-muted">
          {names.length === 1 ? 'Nyt navn' : 'Nye navne'}: {names.slice(0, MOST_NAMED).join(', ')}
          {hidden > 0 && ` og ${formatCount(hidden)} til`}
        </p>
      </div>
    </div>
  )
}
