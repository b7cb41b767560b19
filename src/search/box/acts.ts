import { navigationFor } from '../../navigation.ts'
import { may, type Right, type Role } from '../../rights.ts'
import { urls } from '../../urls.ts'

type Person = { id: number; role: Role }
type Act = { text: string; href: string; right: Right; words: string; hint?: string }

/** The acts, and the pages that are not in the menu, with other words that find them. */
export const ACTS: Act[] = [
  {
    text: 'Ny person',
    href: urls.newUser,
    right: 'editUsers',
    words: 'bruger opret tilføj inviter investor medarbejder revisor rådgiver',
  },
  { text: 'Nyt projekt', href: urls.newProject, right: 'editProjects', words: 'opret tilføj selskab ks' },
  { text: 'Ny pligt', href: urls.newObligation, right: 'editObligations', words: 'opret tilføj frist' },
  { text: 'Ny webhook', href: urls.newHook, right: 'editHooks', words: 'opret tilføj program' },
  {
    text: 'Papirkurv',
    href: urls.projects,
    right: 'changeFiles',
    words: 'slettede slettet gendan fortryd',
    hint: 'Skriv projektets navn efter ordet, eller vælg projektet',
  },
  {
    text: 'Send filer til kontoret',
    href: urls.myFiles,
    right: 'haveOwnFiles',
    words: 'mine filer egne upload indsend pdf foto billede',
  },
  {
    text: 'Årspakker',
    href: urls.yearPackages,
    right: 'takeYears',
    words: 'zip hent download hele året pakke',
  },
  { text: 'Giv adgang', href: urls.ownLendings, right: 'lendAccess', words: 'lån del rådgiver revisor bank' },
  {
    text: 'Min profil',
    href: urls.profile,
    right: 'haveProfile',
    words: 'adgangskode kodeord password billede enheder sessioner mails besked log ud',
  },
  {
    text: 'Totrinslogin',
    href: urls.factors,
    right: 'haveProfile',
    words: 'to trin kode app passkey adgangsnøgle sikkerhed mfa',
  },
  {
    text: 'Kalender',
    href: urls.ownCalendar,
    right: 'seeObligations',
    words: 'outlook google abonner frister ics',
  },
  { text: 'Søg', href: urls.search, right: 'search', words: 'find søgning gemte' },
  { text: 'Hjælp', href: urls.help, right: 'enter', words: 'vejledning manual hvordan' },
  { text: 'API', href: urls.apiDocs, right: 'visit', words: 'program dokumentation openapi' },
]

/** Other words for the pages of the menu, by their address. */
export const PAGE_WORDS: Record<string, string> = {
  [urls.start]: 'start hjem nyt',
  [urls.projects]: 'selskaber liste',
  [urls.overview]: 'året mangler papirer år status rapporter årsrapport',
  [urls.obligations]: 'deadline forfald kalender skal gøres sent',
  [urls.upload]: 'læg tilføj bunke del fordel pdf filer brugere personer træk',
  [urls.inbox('all')]: 'indbakke scanner postkasse mail sendt ind investorer',
  [urls.releases]: 'udgiv godkend godkendelse send udsendt planlagt kladde tilbageholdt trække tilbage',
  [urls.papersPage]: 'mine papirer filer dokumenter projekter årspakker overblik',
  [urls.users]: 'brugere aldrig kommet investorer medarbejdere revisorer rådgivere kunder inviter',
  [urls.office]: 'kontoret navn logo kontakt mailserver prøvemail godkendelse synonymer indstillinger',
  [urls.templateFolders]: 'mappeskabelon skabelon mappe deles',
  [urls.obligationRules]: 'regler frister årets gang',
  [urls.signInRules]: 'krav totrinslogin sikkerhed adgangskode',
  [urls.programs]: 'api nøgler webhooks integration token',
  [urls.status]: 'drift sikkerhedskopi backup disk fejl helbred version',
  [urls.log]: 'historik hændelser hvem gjorde revision csv',
  [urls.import]: 'importer regneark excel flytte import',
}

/** Acts in a project that is named after the words: 'papirkurv nord'. */
const PROJECT_ACTS = {
  upload: {
    said: /^\s*upload(?:\s+til)?\s+(?=\S)/i,
    says: 'Upload til',
    href: urls.uploadToProject,
    right: 'changeFiles',
  },
  trash: {
    said: /^\s*papirkurv(?:\s+i)?\s+(?=\S)/i,
    says: 'Papirkurv i',
    href: urls.trash,
    right: 'changeFiles',
  },
  folders: {
    said: /^\s*mapper(?:\s+i)?\s+(?=\S)/i,
    says: 'Mapper i',
    href: urls.projectFolders,
    right: 'editProjects',
  },
  edit: { said: /^\s*rediger\s+(?=\S)/i, says: 'Rediger', href: urls.editProject, right: 'editProjects' },
  readers: {
    said: /^\s*hvem(?:\s+(?:kan\s+)?ser?)?\s+(?=\S)/i,
    says: 'Hvem kan se',
    href: (project: number) => urls.readers('project', project),
    right: 'seeReaders',
  },
} satisfies Record<string, { said: RegExp; says: string; href: (project: number) => string; right: Right }>

export type ProjectAct = keyof typeof PROJECT_ACTS

/** Returns what is asked for: 'upload til nord' asks for the projects of that name, to upload to. */
export function readAsked(
  text: string,
  { role }: Pick<Person, 'role'>,
): { q: string; act: ProjectAct | null } {
  for (const act of Object.keys(PROJECT_ACTS) as ProjectAct[]) {
    const said = PROJECT_ACTS[act].said.exec(text)
    if (said && may(role, PROJECT_ACTS[act].right)) return { q: text.slice(said[0].length), act }
  }
  return { q: text, act: null }
}

/** Returns a link to what a person can do in a project, or null without the right. */
export function projectAct(
  act: ProjectAct,
  role: Role,
  project: number,
): { says: string; href: string } | null {
  const { says, href, right } = PROJECT_ACTS[act]
  return may(role, right) ? { says, href: href(project) } : null
}

type FoundAct = { text: string; href: string; hint: string; isPage: boolean }

const MOST_ACTS = 6

/** Finds the acts and the pages whose words begin as each typed word does: 'ny b' finds 'Ny person', by 'bruger'. */
export function findActs(user: Person, q: string): FoundAct[] {
  const typed = wordsIn(q)
  if (typed.length === 0) return []
  const acts = ACTS.filter(({ right }) => may(user.role, right)).map(({ hint = '', ...act }) => ({
    ...act,
    hint,
    isPage: false,
  }))
  const pages = navigationFor(user).flatMap((entry) =>
    entry.pages.map(({ text, href }) => ({
      text,
      href,
      words: `${entry.text} ${PAGE_WORDS[href] ?? ''}`,
      hint: text === entry.text ? 'Gå til siden' : entry.text,
      isPage: true,
    })),
  )
  const known = [...acts, ...pages].map((each) => ({ ...each, known: wordsIn(`${each.text} ${each.words}`) }))
  const hits = known.filter((each) => typed.every((word) => each.known.some((it) => it.startsWith(word))))
  // First what is called just so, then what begins so, then what only another word finds.
  const rank = ({ text }: { text: string }) =>
    wordsIn(text).join(' ') === typed.join(' ')
      ? 0
      : typed.every((word) => wordsIn(text).some((it) => it.startsWith(word)))
        ? 1
        : 2
  return hits
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_ACTS)
    .map(({ text, href, hint, isPage }) => ({ text, href, hint, isPage }))
}

/** Lower case, and å as aa: what people type in a hurry. */
const wordsIn = (text: string) => text.toLowerCase().replaceAll('å', 'aa').split(/\s+/).filter(Boolean)
