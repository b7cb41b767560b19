import type { Parts } from '../src/app.ts'
import type { Role } from '../src/rights.ts'
import { makeUser, passwordHash } from '../test/make.ts'

export const DEMO_PASSWORD = 'ringbind-demo'

type Person = [name: string, role: Role, email?: string]

/** The same office every time. The first of each role can be signed in as by its role's name. */
const PEOPLE: Person[] = [
  ['Kirsten Overgaard', 'administrator', 'administrator'],
  ['Mads Thorup', 'employee', 'medarbejder'],
  ['Lone Bjerregaard', 'auditor', 'revisor'],
  ['Søren Kjærgaard', 'investor', 'investor'],
  ['Hanne Aagesen', 'administrator'],
  ['Jonas Vestergaard', 'employee'],
  ['Pernille Østergaard', 'employee'],
  ['Erik Damgaard', 'auditor'],
  ['Anne Marie Holm', 'investor'],
  ['Åse Nørregaard', 'investor'],
  ['Poul Erik Ærtebjerg', 'investor'],
  ['Birgitte Skov', 'investor'],
  ['Henning Bach Lauritzen', 'investor'],
  ['Ulla Brix', 'investor'],
  ['Torben Falkenberg', 'investor'],
  ['Gitte Rønnow', 'investor'],
  ['Niels Aabye', 'investor'],
  ['Jytte Malling', 'investor'],
  ['Christian Juel Friis', 'investor'],
  ['Lisbeth Quist', 'investor'],
  ['Ole Zacho', 'investor'],
  ['Mette-Marie Løvgreen', 'investor'],
  ['Bjarne Uldall', 'investor'],
  ['Inger Øllgaard', 'investor'],
  ['Flemming Høst', 'investor'],
  ['Susanne Ibsen', 'investor'],
  ['Viggo Rask', 'investor'],
  ['Karen Margrethe Toft', 'investor'],
  ['Palle Engell', 'investor'],
]

/** Fills a new database with a believable office. */
export async function fillOffice({ db }: Parts): Promise<void> {
  const hash = await passwordHash(DEMO_PASSWORD)
  let number = 2001
  for (const [name, role, login] of PEOPLE) {
    await makeUser(db, {
      name,
      role,
      email: `${login ?? plain(name)}@ringbind.example`,
      passwordHash: hash,
      numbers: role === 'investor' ? [String(number++)] : [],
    })
  }
}

/** The lines that tell whoever starts the demo how to get in. */
export function loginLines(): string {
  const logins = ['administrator', 'medarbejder', 'revisor', 'investor'].map(
    (name) => `  ${name}@ringbind.example`,
  )
  return [`Log in with the password ${DEMO_PASSWORD} as`, ...logins].join('\n')
}

function plain(name: string): string {
  const letters: Record<string, string> = { æ: 'ae', ø: 'oe', å: 'aa', ' ': '.' }
  return name.toLowerCase().replaceAll(/[æøå ]/g, (letter) => letters[letter]!)
}
