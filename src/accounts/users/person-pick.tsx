import type { Role } from '../../rights.ts'
import { PickField } from '../../ui/form/pick-field.tsx'
import { urls } from '../../urls.ts'

export type PickedPerson = { id: number; name: string; numbers: string[]; role: Role; deactivated: boolean }

type Props = {
  label: string
  picked: PickedPerson | null
  onPick: (person: PickedPerson | null) => void
  /** Where the focus goes after a choice. */
  next: () => HTMLElement | null
  /** Says why somebody cannot be chosen; null if they can. */
  whyNot: (person: PickedPerson) => string | null
}

/** Finds one person by number, name or e-mail. */
export function PersonPick(props: Props) {
  return (
    <PickField<PickedPerson>
      {...props}
      placeholder="Nummer, navn eller e-mail"
      route={urls.listUsers}
      keyOf={({ id }) => id}
      textOf={({ name, numbers }) => (numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name)}
    />
  )
}
