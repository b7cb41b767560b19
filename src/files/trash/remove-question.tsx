import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton } from '../../ui/overlay/modal.tsx'

type Props = {
  /** How many files the question is about. */
  count: number
  /** Returns why it was refused, or null. */
  onRemove: () => Promise<string | null>
  children?: ReactNode
}

/** Asks before files are removed for good. Does not focus its button: Enter alone must not do what cannot be undone. */
export function RemoveQuestion({ count, onRemove, children }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const isGone = useRef(false)
  useEffect(() => () => void (isGone.current = true), [])
  const files = count === 1 ? 'Filen' : 'Filerne'

  async function remove(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const refused = await onRemove()
    if (isGone.current) return
    setBusy(false)
    setFault(refused)
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void remove()
      }}
    >
      {children}
      <p className="text-muted">{files} kan ikke gendannes bagefter.</p>
      <div role="alert" className="mt-3 empty:hidden">
        {fault !== null && <Faults id="remove-fault" faults={[`${files} blev ikke slettet. ${fault}`]} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" kind="danger" loading={isBusy} loadingText="Sletter…">
          Slet for altid
        </Button>
      </div>
    </form>
  )
}
