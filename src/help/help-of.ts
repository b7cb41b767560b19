import type { PageName } from '../pages.ts'
import {
  hasOwnFiles,
  isAdministrator,
  isLentTo,
  isOffice,
  seesSharedFoldersOnly,
  type Role,
} from '../rights.ts'
import { urls } from '../urls.ts'
import { addressOf } from './manual.ts'

/** A chapter of the manual, and perhaps a section of it: `log-ind#glemt-adgangskode`. The list of chapters is empty. */
type Place = string

/** The place in the manual for each page. Some pages have another one for another role. */
export const HELP: Record<PageName, Place | ((role: Role | null) => Place)> = {
  error: 'kom-i-gang#faa-hjaelp',
  login: 'log-ind#kan-du-ikke-logge-ind',
  prove: 'log-ind#naar-ringbind-spoerger-om-det-er-dig',
  // Nobody is signed in before there is an administrator.
  setup: (role) => (role ? 'kom-i-gang' : 'kom-i-gang#opret-den-foerste-administrator'),
  'forgot-password': 'log-ind#glemt-adgangskode',
  'set-password': 'log-ind#vaelg-en-god-adgangskode',
  'second-step': 'log-ind#log-ind-i-to-trin',
  'second-factor': 'min-profil#slaa-totrinslogin-til',
  'sign-in-rules': 'kontoret#kraev-totrinslogin',
  'go-on': 'log-ind#log-ind-med-mitid-eller-microsoft',
  'dead-link': 'log-ind#kan-du-ikke-logge-ind',
  profile: 'min-profil',
  tokens: 'api-noegler',
  gallery: '',
  projects: projectsOf,
  'edit-project': 'projekter#opret-et-projekt',
  folders: 'mapper',
  files: 'filer',
  trash: 'ret-filer#gendan-fra-papirkurven',
  releases: 'udsendelser',
  release: 'udsendelser#ret-eller-fortryd-en-udsendelse',
  inbox: 'indbakke',
  upload: 'upload',
  split: 'del-og-fordel',
  'my-files': 'mine-filer',
  'upload-result': (role) => (role && hasOwnFiles(role) ? 'mine-filer' : 'upload#gem-bunken'),
  report: 'rapport',
  'edit-user': 'personer#opret-en-person',
  lendings: lent,
  readers: 'projekter#se-hvem-der-kan-se-noget',
  'seen-by': 'projekter#se-hvem-der-kan-se-noget',
  lender: 'adgang-for-andre#se-paa-vegne-af-andre',
  user: 'personer#en-persons-side',
  users: 'personer',
  papers: 'filer#aabn-og-hent-en-fil',
  'my-papers': 'papirer',
  overview: overviewOf,
  paper: overviewOf,
  search: 'find-rundt#se-alle-resultater',
  duties: 'frister',
  import: 'flyt-ind',
  sheet: 'flyt-ind#flyt-projekter-og-personer-ind',
  receipt: 'frister#kvitteringer',
  obligations: 'frister#pligter',
  'edit-obligation': 'frister#pligter',
  calendar: 'frister#faa-fristerne-i-din-kalender',
  programs: 'webhooks',
  hook: 'webhooks#se-hvad-der-er-sendt',
  'edit-hook': 'webhooks#opret-en-webhook',
  office: 'kontoret',
  docs: (role) => (role ? 'api-noegler#saet-et-program-op' : ''),
  status: 'status',
  log: (role) => (role && isAdministrator(role) ? 'log' : 'ret-filer#se-en-fils-historik'),
  start: startOf,
  help: '',
  'help-chapter': '',
}

function lent(role: Role | null): Place {
  return role && hasOwnFiles(role)
    ? 'adgang-for-andre#giv-en-anden-adgang'
    : 'personer#ret-adgangen-for-en-investor'
}

function projectsOf(role: Role | null): Place {
  if (role && seesSharedFoldersOnly(role)) return 'papirer'
  return role && isOffice(role) ? 'projekter#se-alle-projekter' : 'projekter#se-dine-projekter'
}

function overviewOf(role: Role | null): Place {
  return role && seesSharedFoldersOnly(role) ? 'papirer' : 'aaret'
}

function startOf(role: Role | null): Place {
  if (role && isOffice(role)) return 'forsiden#kontorets-forside'
  return role && isLentTo(role) ? 'kom-i-gang#du-er-raadgiver' : 'forsiden#nyt-til-dig'
}

/** Returns the address of what the manual says about a page; role is null for a visitor who is not signed in. */
export function helpOf(page: PageName, role: Role | null): string {
  const help = HELP[page]
  const [chapter, section] = (typeof help === 'string' ? help : help(role)).split('#')
  return chapter ? addressOf(chapter, section) : urls.help
}
