import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton } from '../../ui/overlay/modal.tsx'

type Props = {
  /** How many files the question is about. */
  count: number
  /** The id of the fault. */
  id: string
  /** The text of the button. */
  submit: string
  /** Whether it can be undone: then Enter alone does it (S4.2). */
  isUndoable?: boolean
  /** Returns why it was refused, or null. */
  onDelete: () => Promise<string | null>
  children: ReactNode
}

/** Asks before files are deleted, or removed for good. */
export function DeleteQuestion({ count, id, submit, isUndoable = false, onDelete, children }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const isGone = useRef(false)
  useEffect(() => () => void (isGone.current = true), [])

  async function act(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const refused = await onDelete()
    if (isGone.current) return
    setBusy(false)
    setFault(refused)
  }

  const said = `${count === 1 ? 'Filen' : 'Filerne'} blev ikke slettet. ${fault}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void act()
      }}
    >
      {children}
      <div role="alert" className="mt-3 empty:hidden">
        {fault !== null && <Faults id={id} faults={[said]} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button
          type="submit"
          kind="danger"
          data-autofocus={isUndoable || undefined}
          loading={isBusy}
          loadingText="Sletter…"
        >
          {submit}
        </Button>
      </div>
    </form>
  )
}
