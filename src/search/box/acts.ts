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
  {
    text: 'Giv adgang',
    href: urls.ownLendings,
    right: 'lendAccess',
    words: 'lån del rådgiver revisor bank tag tilbage adgang',
  },
  {
    text: 'Min profil',
    href: urls.profile,
    right: 'haveProfile',
    words:
      'adgangskode kodeord password billede profilbillede enheder sessioner mails besked advarsler login tilknyt log ud',
  },
  {
    text: 'Totrinslogin',
    href: urls.factors,
    right: 'haveProfile',
    words: 'to trin kode app passkey adgangsnøgle nødkoder sikkerhed mfa',
  },
  {
    text: 'Kalender',
    href: urls.ownCalendar,
    right: 'seeObligations',
    words: 'outlook google abonner frister ics adresse',
  },
  {
    text: 'Inviter dem, der aldrig er kommet',
    href: urls.filteredUsers('?filter=never'),
    right: 'editUsers',
    words: 'påmind invitation igen mail link',
  },
  {
    text: 'Ret en person',
    href: urls.users,
    right: 'editUsers',
    words:
      'rediger ændr slet bruger rolle deaktiver genaktiver adgangskode link nulstil totrinslogin log ud enheder login tilknyttet vis se som',
    hint: 'Skriv personens navn, og vælg personen',
  },
  {
    text: 'Ret et projekt',
    href: urls.projects,
    right: 'editProjects',
    words: 'rediger ændr slet medlem medlemmer tilføj fjern regnskabsår mappe del',
    hint: 'Skriv rediger eller mapper og projektets navn',
  },
  {
    text: 'Flyt, omdøb eller slet en fil',
    href: urls.search,
    right: 'changeFiles',
    words: 'erstat version ældre periode ret ændr rækkefølge sorter filer papir til andet projekt',
    hint: 'Skriv filens navn, og vælg i dens menu',
  },
  {
    text: 'Året som skema',
    href: urls.year,
    right: 'seeObligations',
    words: 'overblik rapporter',
  },
  {
    text: 'Årets regler',
    href: urls.yearRules,
    right: 'seeObligations',
    words: 'pligter regler frister årets gang pligt layout kvittering',
  },
  { text: 'Søg', href: urls.search, right: 'search', words: 'find søgning gemte' },
  { text: 'Hjælp', href: urls.help, right: 'enter', words: 'vejledning manual hvordan' },
  { text: 'API', href: urls.apiDocs, right: 'visit', words: 'program dokumentation openapi' },
]

/** Other words for the pages of the menu, by their address. */
export const PAGE_WORDS: Record<string, string> = {
  [urls.start]: 'start hjem nyt',
  [urls.projects]: 'selskaber liste',
  [urls.yearList]:
    'liste frister deadline forfald kalender skal gøres sent for udført ansvarlig meld hændelse kvittering kvitteringer virk overblik året mangler papirer år status rapporter årsrapport undtag forvent',
  [urls.year]: 'overblik skema året mangler papirer år status rapporter årsrapport undtag forvent',
  [urls.upload]: 'læg tilføj bunke del fordel pdf filer brugere personer træk',
  [urls.inbox('all')]: 'indbakke scanner postkasse mail sendt ind investorer indlevering tag overtag færdig',
  [urls.releases]:
    'udgiv godkend godkendelse afvis send udsendt planlæg planlagt kladde hold tilbageholdt træk trække tilbage påmind åbnet mails fortryd ønske',
  [urls.papersPage]: 'mine papirer filer dokumenter projekter årspakker overblik',
  [urls.users]: 'brugere aldrig kommet investorer medarbejdere revisorer rådgivere kunder inviter',
  [urls.office]:
    'kontoret kontorets navn logo kontakt oplysninger mailserver prøvemail godkendelse sikre papirer synonymer ord indstillinger',
  [urls.templateFolders]: 'mappeskabelon skabelon mappe deles forventninger',
  [urls.signInRules]: 'krav totrinslogin sikkerhed adgangskode',
  [urls.programs]: 'api nøgler nøgle api-nøgle spær webhooks webhook integration token',
  [urls.status]: 'drift sikkerhedskopi backup disk fejl helbred version',
  [urls.log]: 'historik hændelser hvem gjorde revision csv hent',
  [urls.import]: 'importer regneark ark excel flytte indflytning import',
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
  const found = actsWith(user, typed)
  // 'skift logo': the page is known by what is done there, not by each word for doing it.
  return found.length > 0
    ? found
    : actsWith(
        user,
        typed.filter((word) => !DOING.has(word)),
      )
}

function actsWith(user: Person, typed: string[]): FoundAct[] {
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

/** Words of an act that say nothing of what it is done to. */
const DOING = new Set(
  wordsIn(
    'skift ændr ret rediger opret lav tilføj tilknyt slet fjern vis se gå find hent åbn gem vælg slå giv bed send fortryd ' +
      'en et ny nyt nye den det min mit mine til fra i på som for af og om',
  ),
)

/** Lower case, and å as aa: what people type in a hurry. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().replaceAll('å', 'aa').split(/\s+/).filter(Boolean)
}
