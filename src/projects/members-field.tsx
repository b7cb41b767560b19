import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { isOffice, type Role } from '../rights.ts'
import { Chips } from '../ui/chips.tsx'
import { Faults } from '../ui/faults.tsx'
import { useForm } from '../ui/form.tsx'
import { INPUT_LOOK } from '../ui/input-look.ts'
import { MOST_SUGGESTIONS, useSuggestions } from '../ui/use-suggestions.ts'
import { urls } from '../urls.ts'

type Person = { id: number; name: string; email: string; role: Role; numbers: string[] }
type Found = Person & { deactivated: boolean }

/**
 * Who belongs to the project. Only what changes is sent, so that two people at once undo nothing of each other's.
 * Without JavaScript one is added by number or e-mail, and taken away by the cross.
 */
export function MembersField({ members }: { members: readonly Person[] }) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get('add_member')
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<Person[]>([])
  const [removed, setRemoved] = useState<number[]>([])
  const [text, setText] = useState(values.add_member ?? '')
  const [said, setSaid] = useState('')
  const { found, state } = useSuggestions<Found>(urls.listUsers, text)
  const shown = [...members.filter((member) => !removed.includes(member.id)), ...added]
  const canAdd = (person: Found) =>
    !isOffice(person.role) && !person.deactivated && !shown.some((member) => member.id === person.id)

  const isOrdinary = state === 'found' && found.length > 0 && found.length < MOST_SUGGESTIONS

  function add(person: Found): void {
    setSaid(`${person.name} er tilføjet. Husk at gemme.`)
    const wasMember = members.some((member) => member.id === person.id)
    if (wasMember) setRemoved(removed.filter((each) => each !== person.id))
    else setAdded([...added, person])
    change('')
    input.current?.focus()
  }

  function remove(value: string): void {
    const person = Number(value)
    setSaid(`${shown.find((member) => member.id === person)?.name} er fjernet. Husk at gemme.`)
    if (added.some((member) => member.id === person)) setAdded(added.filter((member) => member.id !== person))
    else setRemoved([...removed, person])
  }

  function change(next: string): void {
    setText(next)
    clear('add_member')
  }

  /** Up and down through the field and the people found. */
  function walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [input.current!, ...list.current!.querySelectorAll<HTMLElement>('li button')]
    stops.at((stops.indexOf(event.target as HTMLInputElement) + step) % stops.length)?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && text !== '') change('')
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return
    event.preventDefault() // it adds, and does not send the form
    const sure = state === 'found' ? sureOf(found.filter(canAdd), text.trim()) : undefined
    if (sure) add(sure)
  }

  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">Medlemmer</legend>
      <p className="text-meta text-muted">
        Investorer og revisorer ser kun de projekter, de er medlem af. Kontoret ser alle projekter.
      </p>
      {shown.length === 0 && <p className="text-muted">Ingen medlemmer endnu.</p>}
      <Chips
        label="Medlemmer"
        chips={shown.map((person) => ({ value: String(person.id), text: titleOf(person) }))}
        removeName="remove_members[]"
        onRemove={remove}
        fallback={input}
      />
      <output className="sr-only">{said}</output>
      {added.map((person, index) => (
        <input key={person.id} type="hidden" name={`add_members[${index}]`} value={person.id} />
      ))}
      {removed.map((person, index) => (
        <input key={person} type="hidden" name={`remove_members[${index}]`} value={person} />
      ))}
      <div ref={list} onKeyDown={walk} role="presentation" className="mt-2 grid gap-1">
        <label htmlFor={id} className="font-medium">
          Tilføj medlem
        </label>
        <input
          ref={input}
          id={id}
          name="add_member"
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          maxLength={254}
          placeholder="Nummer, navn eller e-mail"
          aria-invalid={faults.length > 0 || undefined}
          aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
          aria-controls={`${id}-found`}
          className={INPUT_LOOK}
        />
        <Faults id={`${id}-fault`} faults={faults} />
        <div id={`${id}-found`}>
          <output className={isOrdinary ? 'sr-only' : 'text-meta text-muted'}>
            {SAID[state](found.length)}
          </output>
          {found.length > 0 && (
            <ul aria-label="Fundne brugere" className="grid rounded-control border border-line">
              {found
                .toSorted((a, b) => Number(canAdd(b)) - Number(canAdd(a)))
                .map((person) => (
                  <li key={person.id} className="border-b border-line last:border-0">
                    <button
                      type="button"
                      aria-disabled={!canAdd(person)}
                      onClick={() => canAdd(person) && add(person)}
                      className="flex min-h-9 w-full cursor-pointer flex-wrap items-baseline gap-x-2 px-3 py-2 text-left hover:bg-hover aria-disabled:cursor-default aria-disabled:text-muted pointer-coarse:min-h-11"
                    >
                      <span className="font-medium">{titleOf(person)}</span>
                      <span className="text-meta text-muted wrap-anywhere">{person.email}</span>
                      {!canAdd(person) && <span className="text-meta">{whyNot(person)}</span>}
                    </button>
                  </li>
                ))}
            </ul>
          )}
        </div>
      </div>
    </fieldset>
  )
}

const SAID = {
  still: () => '',
  busy: () => 'Henter...',
  fault: () => 'Brugerne kunne ikke hentes. Skriv et nummer eller en e-mail, og gem.',
  found: (count: number) =>
    count === 0
      ? 'Intet fundet...'
      : count === MOST_SUGGESTIONS
        ? `Viser de første ${count}. Skriv mere for at finde andre.`
        : `${count} fundet`,
}

function titleOf({ name, numbers }: Person): string {
  return numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name
}

/** Whom a text can only mean: theirs is the number or e-mail, or nobody else was found. */
function sureOf(people: Found[], text: string): Found | undefined {
  const exact = people.find(
    ({ numbers, email }) => numbers.includes(text) || email.toLowerCase() === text.toLowerCase(),
  )
  return exact ?? (people.length === 1 ? people[0] : undefined)
}

function whyNot({ role, deactivated }: Found): string {
  if (isOffice(role)) return 'ser alle projekter'
  return deactivated ? 'er deaktiveret' : 'er medlem'
}
