import { useRef, useState } from 'react'
import { hasOwnFiles, type Role } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { PickField } from '../../ui/form/pick-field.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { urls } from '../../urls.ts'
import { pagesText } from './page-ranges.ts'
import type { SplitOwner } from './split.ts'

type Person = { id: number; name: string; numbers: string[]; role: Role; deactivated: boolean }

const NAME = 'give-pages'

export const askWhoGets = (pages: readonly number[]) => modals.open(NAME, pages)

type Props = { onGive: (pages: readonly number[], to: SplitOwner) => void }

/** Asks who gets some pages. */
export function GiveModal({ onGive }: Props) {
  return (
    <Modal<readonly number[]> name={NAME} title={(pages) => `Giv ${pagesText(pages)} til`}>
      {(pages) => <Question pages={pages} onGive={onGive} />}
    </Modal>
  )
}

function Question({ pages, onGive }: Props & { pages: readonly number[] }) {
  const [person, setPerson] = useState<Person | null>(null)
  const [fault, setFault] = useState('')
  const form = useRef<HTMLFormElement>(null)
  return (
    <form
      ref={form}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!person) return setFault('Vælg en investor.')
        modals.close(NAME)
        return onGive(pages, { id: person.id, name: person.name, number: person.numbers[0] ?? null })
      }}
    >
      <PickField<Person>
        label="Investor"
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
        whyNot={({ role, deactivated }) =>
          hasOwnFiles(role) ? (deactivated ? 'er deaktiveret' : null) : 'er ikke investor'
        }
      />
      <div role="alert">
        <Faults id="give-pages-fault" faults={fault === '' ? [] : [fault]} />
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit">Giv siderne</Button>
      </div>
    </form>
  )
}
