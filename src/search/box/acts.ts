import { navigationFor } from '../../navigation.ts'
import { may, type Right, type Role } from '../../rights.ts'
import { urls } from '../../urls.ts'

type Act = { text: string; href: string; right: Right; words: string }

/** The acts and pages that the box offers, and the words that find them. */
const ACTS: Act[] = [
  { text: 'Ny bruger', href: urls.newUser, right: 'editUsers', words: 'opret tilføj inviter investor' },
  { text: 'Nyt projekt', href: urls.newProject, right: 'editProjects', words: 'opret tilføj' },
  { text: 'Upload til brugere', href: urls.uploadToUsers, right: 'changeFiles', words: '' },
  { text: 'Min profil', href: urls.profile, right: 'haveProfile', words: 'adgangskode mails to trin' },
  { text: 'Hjælp', href: urls.help, right: 'enter', words: 'vejledning manual hvordan' },
]

type FoundAct = { text: string; href: string; isPage: boolean }

const MOST_ACTS = 4

/** Finds the acts and the pages of the menu whose words begin as each typed word does: 'ny b' finds 'Ny bruger'. */
export function findActs(user: { id: number; role: Role }, q: string): FoundAct[] {
  const typed = wordsIn(q)
  if (typed.length === 0) return []
  const all = [
    ...ACTS.filter(({ right }) => may(user.role, right)).map((act) => ({ ...act, isPage: false })),
    ...navigationFor(user).map(({ text, href }) => ({ text, href, words: '', isPage: true })),
  ]
  return all
    .filter(({ text, words }) => {
      const known = wordsIn(`${text} ${words}`)
      return typed.every((word) => known.some((each) => each.startsWith(word)))
    })
    .slice(0, MOST_ACTS)
    .map(({ text, href, isPage }) => ({ text, href, isPage }))
}

/** Lower case, and å as aa: what people type in a hurry. */
const wordsIn = (text: string) => text.toLowerCase().replaceAll('å', 'aa').split(/\s+/).filter(Boolean)

/** Returns what is asked for: 'upload til nord' asks for the projects of that name, to upload to. */
export function readAsked(text: string, { role }: { role: Role }): { q: string; isUpload: boolean } {
  const said = /^\s*upload(?:\s+til)?\s+(?=\S)/i.exec(text)
  return said && may(role, 'changeFiles')
    ? { q: text.slice(said[0].length), isUpload: true }
    : { q: text, isUpload: false }
}
