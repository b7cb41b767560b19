import { useRef, useState } from 'react'
import { PersonPick, type PickedPerson } from '../../accounts/person-pick.tsx'
import { hasOwnFiles } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { countFiles } from '../../projects/folder.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Picked } from '../list/use-files-screen.ts'
import { postAct } from './post-act.ts'
import { tellAct } from './undo.ts'

type Files = readonly Picked[]
type Props = {
  from: { id: number; name: string }
  onMoved: (files: Files) => void
  onUndone: (files: Files) => void
}

const namesOf = (files: Files) => (files.length === 1 ? files[0]!.file.name : countFiles(files.length))

/** Moves files that were given to the wrong person. */
export function MoveToPersonModal(props: Props) {
  return (
    <Modal<Files> name="move-to-person" title={(files) => `Flyt ${namesOf(files)} til en anden bruger`}>
      {(files) => <Question files={files} {...props} />}
    </Modal>
  )
}

function Question({ files, from, onMoved, onUndone }: Props & { files: Files }) {
  const said = namesOf(files)
  const isOne = files.length === 1
  const [person, setPerson] = useState<PickedPerson | null>(null)
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function move(): Promise<void> {
    if (isBusy) return
    if (!person) return setFault(`Vælg den bruger, som ${isOne ? 'filen' : 'filerne'} skal flyttes til.`)
    setBusy(true)
    setFault('')
    const { undo, fault: refused, asked } = await post(from.id, files, person.id)
    setBusy(false)
    if (refused !== null) return setFault(refused)
    modals.close('move-to-person')
    if (asked === null) onMoved(files)
    return tellAct(asked ?? `${said} er flyttet til ${person.name}.`, undo, {
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
      <PersonPick
        label="Flyt til"
        picked={person}
        onPick={(next) => {
          setPerson(next)
          setFault('')
        }}
        next={() => form.current!.querySelector<HTMLElement>('[type=submit]')}
        whyNot={({ id, role }) =>
          id === from.id
            ? `har ${isOne ? 'filen' : 'filerne'} nu`
            : hasOwnFiles(role)
              ? null
              : 'er ikke investor'
        }
      />
      <p className="text-muted">
        {person
          ? `${isOne ? 'Filen' : 'Filerne'} kan derefter ses af ${person.name} og kontoret, men ikke længere af ${from.name}.`
          : `${isOne ? 'Filen' : 'Filerne'} kan derefter ikke længere ses af ${from.name}.`}
      </p>
      <div role="alert">
        <Faults id="move-to-person-fault" faults={fault === '' ? [] : [fault]} />
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

function post(from: number, files: Files, to: number): ReturnType<typeof postAct> {
  const ids = files.map(({ file }) => file.id)
  if (ids.length > 1) return postAct(fileUrls.many({ user: from }, 'move'), { files: ids, user_id: to })
  const form = new FormData()
  form.set('file_id', String(ids[0]))
  form.set('user_id', String(to))
  return postAct(urls.moveUserFile(from), form)
}
