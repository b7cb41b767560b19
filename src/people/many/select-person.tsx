import { useSyncExternalStore } from 'react'
import type { UserRow } from '../user/user-row.ts'
import { selectedPeople } from './selected-people.ts'
import { isSelected } from './selection.ts'

/** The box that selects a person of the list; with Shift, everybody from the one pressed before. */
export function SelectPerson({ row }: { row: UserRow }) {
  const isChecked = useSyncExternalStore(
    selectedPeople.listen,
    () => isSelected(selectedPeople.now(), row.id),
    () => false,
  )
  return (
    <label className="-my-1 grid size-9 cursor-pointer place-items-center pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={`Vælg ${row.name}`}
        checked={isChecked}
        onClick={({ shiftKey }) => selectedPeople.press(row, shiftKey)}
        readOnly
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  )
}
