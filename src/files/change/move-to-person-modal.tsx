import { useRef, useState } from 'react'
import { hasOwnFiles, type Role } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { PickField } from '../../ui/form/pick-field.tsx'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import type { Picked } from '../list/use-files-screen.ts'

type Person = { id: number; name: string; numbers: string[]; role: Role }
type Props = { from: { id: number; name: string }; onMoved: (picked: Picked) => void }

/** Moves a file that was given to the wrong person. */
export function MoveToPersonModal(props: Props) {
  return (
    <Modal<Picked> name="move-to-person" title={({ file }) => `Flyt ${file.name} til en anden bruger`}>
      {(picked) => <Question picked={picked} {...props} />}
    </Modal>
  )
}

function Question({ picked, from, onMoved }: Props & { picked: Picked }) {
  const { file } = picked
  const [person, setPerson] = useState<Person | null>(null)
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function move(): Promise<void> {
    if (isBusy) return
    if (!person) return setFault('Vælg den bruger, som filen skal flyttes til.')
    setBusy(true)
    setFault('')
    const refused = await post(from.id, file.id, person.id)
    setBusy(false)
    if (refused !== null) return setFault(refused)
    modals.close('move-to-person')
    onMoved(picked)
    return showToast(`${file.name} er flyttet til ${person.name}.`)
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
      <PickField<Person>
        label="Flyt til"
        placeholder="Nummer, navn eller e-mail"
        route={urls.listUsers}
        picked={person}
        onPick={(next) => {
          setPerson(next)
          setFault('')
        }}
        next={() => form.current!.querySelector<HTMLElement>('[type=submit]')}
        keyOf={({ id }) => id}
        textOf={({ name, numbers }) => (numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name)}
        whyNot={({ id, role }) =>
          id === from.id ? 'har filen nu' : hasOwnFiles(role) ? null : 'er ikke investor'
        }
      />
      <p className="text-muted">
        {person
          ? `Filen kan derefter ses af ${person.name} og kontoret, men ikke længere af ${from.name}.`
          : `Filen kan derefter ikke længere ses af ${from.name}.`}
      </p>
      <div role="alert">
        <Faults id="move-to-person-fault" faults={fault === '' ? [] : [fault]} />
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" loading={isBusy} loadingText="Flytter…">
          Flyt filen
        </Button>
      </div>
    </form>
  )
}

/** Returns why the move was refused, or null if it was done. */
async function post(from: number, file: number, to: number): Promise<string | null> {
  const form = new FormData()
  form.set('file_id', String(file))
  form.set('user_id', String(to))
  const response = await orNull(send('POST', urls.moveUserFile(from), form))
  if (response?.ok) return null
  const body = response && (await orNull(readJson<{ message?: string } | null>(response)))
  return body?.message ?? FAILED
}

const FAILED = 'Filen kunne ikke flyttes. Prøv igen om lidt.'
