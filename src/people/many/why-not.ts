import { isAdministrator, isMemberRole, type Role } from '../../rights.ts'

/** The facts that decide whether an act on many is for a person. */
export type Candidate = {
  role: Role
  isDeactivated: boolean
  hasWayIn: boolean
  /** An invitation to them waits to be sent. */
  isAsked: boolean
  /** They are a member of the project that people are added to. */
  isMember: boolean
}

export type WhyNot = 'deactivated' | 'in' | 'asked' | 'administrator' | 'no-member' | 'member'

const WORDS: Record<WhyNot, string> = {
  deactivated: 'deaktiveret',
  in: 'med login',
  asked: 'med en invitation på vej',
  administrator: 'administrator',
  'no-member': 'ikke investor eller revisor',
  member: 'med i forvejen',
}

/** An invitation lets its reader in, so an administrator gets theirs from their own page, where the inviter proves who they are. */
export function whyNotInvite({
  role,
  isDeactivated,
  hasWayIn,
  isAsked,
}: Omit<Candidate, 'isMember'>): WhyNot | null {
  if (isDeactivated) return 'deactivated'
  if (hasWayIn) return 'in'
  if (isAdministrator(role)) return 'administrator'
  return isAsked ? 'asked' : null
}

export function whyNotAdd({
  role,
  isDeactivated,
  isMember,
}: Pick<Candidate, 'role' | 'isDeactivated' | 'isMember'>): WhyNot | null {
  if (!isMemberRole(role)) return 'no-member'
  if (isDeactivated) return 'deactivated'
  return isMember ? 'member' : null
}

export type Sorted<Person> = { taken: Person[]; skipped: Map<WhyNot, number> }

/** Divides people into those whom an act is for and the others, counted by why. */
export function sortOut<Person>(
  people: readonly Person[],
  whyNot: (person: Person) => WhyNot | null,
): Sorted<Person> {
  const taken: Person[] = []
  const skipped = new Map<WhyNot, number>()
  for (const person of people) {
    const why = whyNot(person)
    if (why === null) taken.push(person)
    else skipped.set(why, (skipped.get(why) ?? 0) + 1)
  }
  return { taken, skipped }
}

/** '3 er sprunget over: 1 deaktiveret, 2 med login.', or '' for none. */
export function skippedText(skipped: ReadonlyMap<WhyNot, number>): string {
  const all = [...skipped.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return ''
  const reasons = [...skipped].map(([why, count]) => `${count} ${WORDS[why]}`)
  return `${all} er sprunget over: ${reasons.join(', ')}.`
}
