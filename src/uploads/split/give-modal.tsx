import { useRef, useState } from 'react'
import { PersonPick, type PickedPerson } from '../../accounts/users/person-pick.tsx'
import { hasOwnFiles } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { pagesText } from './pdf/page-ranges.ts'
import type { SplitOwner } from './split.ts'

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
  const [person, setPerson] = useState<PickedPerson | null>(null)
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
      <PersonPick
        label="Investor"
        picked={person}
        onPick={(next) => {
          setPerson(next)
          setFault('')
        }}
        next={() => form.current!.querySelector<HTMLElement>('[type=submit]')}
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
