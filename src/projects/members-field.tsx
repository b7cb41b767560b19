import { isOffice, type Role } from '../rights.ts'
import { PickManyField } from '../ui/form/pick-many-field.tsx'
import { urls } from '../urls.ts'

type Person = { id: number; name: string; email: string; role: Role; numbers: string[] }
type Found = Person & { deactivated: boolean }

/** Edits the members of a project. */
export function MembersField({ members }: { members: readonly Person[] }) {
  return (
    <PickManyField<Person, Found>
      legend="Medlemmer"
      help="Investorer og revisorer ser kun projekter, de er medlem af."
      none="Ingen medlemmer endnu."
      label="Tilføj medlem"
      placeholder="Nummer, navn eller e-mail"
      foundLabel="Fundne personer"
      failed="Personerne kunne ikke hentes. Skriv et nummer eller en e-mail, og gem."
      route={urls.listUsers}
      rows={members}
      names={{ add: 'add_members', remove: 'remove_members', text: 'add_member' }}
      titleOf={({ name, numbers }) => (numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name)}
      hintOf={({ email }) => email}
      whyNot={({ role, deactivated }) =>
        isOffice(role) ? 'ser alle projekter' : deactivated ? 'er deaktiveret' : null
      }
      isThere="er medlem"
      isExactly={({ numbers, email }, text) =>
        numbers.includes(text) || email.toLowerCase() === text.toLowerCase()
      }
    />
  )
}
