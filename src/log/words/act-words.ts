import { listed } from '../../base/danish/listed.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../rights.ts'
import { UNDONE, type Act } from './act.ts'
import type { LogEntry } from './entry.ts'
import { wishedAct } from './act-names.ts'
import {
  dutyOf,
  hookOf,
  importOf,
  mailsOf,
  obligationOf,
  paperOr,
  periodsOf,
  sheetText,
  signInWith,
  toPeople,
  versionOf,
  WAIT_WORDS,
  wordsIn,
} from './detail-words.ts'

type Words = string | ((entry: LogEntry) => string)

/** The sentence after the person's name. A `{thing}` becomes its present name. */
export const ACT_WORDS: Record<Act, Words> = {
  setup: 'oprettede kontoret som den første administrator',
  'sign-in': ({ detail }) => `loggede ind${signInWith(detail)}`,
  'sign-in-failed': ({ subject, detail }) => {
    if (subject) return `prøvede forgæves at logge ind som {user}${signInWith(detail)}`
    return `prøvede forgæves at logge ind${detail === null ? ' med en ukendt e-mail' : signInWith(detail)}`
  },
  'asked-to-wait': ({ detail }) =>
    `blev bedt om at vente efter for mange ${WAIT_WORDS[detail ?? ''] ?? 'forespørgsler'}`,
  'proof-failed': 'svarede forkert, da Ringbind spurgte, om det var vedkommende selv',
  'sign-out': 'loggede ud',
  'session-ended': ({ subject }) =>
    subject ? 'loggede en enhed ud for {user}' : 'loggede en anden enhed ud',
  'other-sessions-ended': 'loggede alle andre enheder ud',
  'user-sessions-ended': 'loggede {user} ud på alle enheder',
  'password-link-sent': 'sendte {user} et link til en ny adgangskode',
  'identity-linked': ({ detail }) =>
    detail === null ? 'tilknyttede et andet login' : 'tilknyttede et login hos {detail}',
  'identity-link-failed': ({ detail }) =>
    detail === null
      ? 'prøvede forgæves at tilknytte et andet login'
      : 'prøvede forgæves at tilknytte et login hos {detail}',
  'identity-unlinked': ({ detail }) =>
    detail === null ? 'fjernede et andet login' : 'fjernede et login hos {detail}',
  'token-added': ({ detail }) => {
    const scopes = wordsIn(detail, SCOPE_WORDS)
    return scopes.length > 0 ? `lavede {token} til at ${listed(scopes)}` : 'lavede {token}'
  },
  'token-revoked': ({ subject }) =>
    subject ? 'spærrede {token}, som {user} havde lavet' : 'spærrede {token}',
  'let-in': 'lavede på serveren et link til login for {user}',
  'factor-added': ({ detail }) => `tilføjede ${FACTOR_WORDS[detail ?? ''] ?? 'et trin'} til sit login`,
  'factor-removed': ({ detail }) => `fjernede ${FACTOR_WORDS[detail ?? ''] ?? 'et trin'} fra sit login`,
  'recovery-codes-made': 'lavede nye nødkoder',
  'factors-reset': ({ subject }) =>
    subject ? 'nulstillede totrinslogin for {user}' : 'nulstillede sit totrinslogin via et link fra serveren',
  'factor-demands-changed': ({ detail }) => {
    const roles = wordsIn(detail, ROLES_WORDS)
    return roles.length === 0
      ? 'kræver ikke længere totrinslogin af nogen'
      : `kræver totrinslogin af ${listed(roles)}`
  },
  'password-reset-asked': ({ subject }) =>
    subject ? 'bad om et link til en ny adgangskode for {user}' : 'bad om et link til en ny adgangskode',
  'password-reset': 'valgte en ny adgangskode via et link',
  'password-changed': 'ændrede sin adgangskode',
  'mail-rate-changed': 'valgte mails om nye filer: {detail}',
  'status-mails-changed': ({ detail }) =>
    `slog mails om, at der er noget galt med Ringbind, ${detail === 'fra' ? 'fra' : 'til'}`,
  'warnings-changed': ({ detail }) =>
    `slog mails om forsøg på at gætte adgangskoder ${detail === 'fra' ? 'fra' : 'til'}`,
  'password-change-failed': 'skrev en forkert adgangskode under sin profil',
  'user-added': fromSheet('oprettede {user}'),
  'user-invited': 'inviterede {user}',
  'invitation-accepted': ({ detail }) =>
    detail === null ? 'tog imod invitationen' : 'tog imod invitationen med {detail}',
  'user-changed': ({ detail, names }) => {
    const fields = wordsIn(detail, FIELD_WORDS)
    const from = sheetText(detail)
    if (fields.length === 0) return `ændrede oplysningerne om {user}${from}`
    const [only] = fields
    if (fields.length === 1) return `ændrede ${only!.alone} for {user}${names ? ` ${FROM_TO}` : ''}${from}`
    return `ændrede ${listed(fields.map(({ word }) => word))} for {user}${names ? `, navnet ${FROM_TO}` : ''}${from}`
  },
  'role-changed': ({ detail }) => {
    const [from, to] = (detail ?? '').split('>').map((text) => ROLES.find((role) => role === text))
    return from && to
      ? `ændrede rollen for {user} fra ${ROLE_NAMES[from].toLowerCase()} til ${ROLE_NAMES[to].toLowerCase()}`
      : 'gav {user} en anden rolle'
  },
  'view-started': 'begyndte at se Ringbind som {user}',
  'view-ended': 'holdt op med at se Ringbind som {user}',
  'user-deactivated': 'deaktiverede {user}',
  'user-reactivated': 'genaktiverede {user}',
  'user-removed': ({ names, detail }) =>
    `slettede ${names ? 'personen ”{before}”' : 'en person'}${sheetText(detail)}`,
  'access-lent': 'gav {user} adgang',
  'access-changed': 'ændrede adgangen for {user}',
  'access-taken-back': 'tog adgangen tilbage fra {user}',
  'profile-changed': ({ names }) => (names ? `ændrede sit navn ${FROM_TO}` : 'ændrede sin profil'),
  'profile-image-changed': ({ user, subject }) =>
    subject && subject.id !== user?.id ? 'ændrede profilbilledet for {user}' : 'ændrede sit profilbillede',
  'profile-image-removed': 'fjernede sit profilbillede',
  'project-added': fromSheet('oprettede projektet {project}'),
  'project-changed': ({ names, detail }) =>
    `ændrede projektet {project}${names ? `, navnet ${FROM_TO}` : ''}${sheetText(detail)}`,
  'project-years-changed': fromSheet(
    'ændrede regnskabsåret, ejertiden eller opfølgningen for projektet {project}',
  ),
  'project-removed': ({ names, detail }) =>
    `slettede ${names ? 'projektet ”{before}”' : 'et projekt'}${sheetText(detail)}`,
  'expectations-applied': 'gav mapperne i {project} skabelonens forventninger',
  'member-added': fromSheet('gjorde {user} til medlem af {project}'),
  'member-removed': fromSheet('fjernede {user} som medlem af {project}'),
  'folder-added': ({ detail }) =>
    `oprettede mappen {folder} i {home}${detail === 'shared' ? ' og delte den med investorer' : ''}`,
  'folder-changed': ({ names }) => `ændrede mappen {folder} i {home}${names ? `, navnet ${FROM_TO}` : ''}`,
  'folder-shared': 'delte mappen {folder} i {home} med investorer',
  'folder-unshared': 'delte ikke længere mappen {folder} i {home} med investorer',
  'folder-moved': 'gav mappen {folder} en ny plads i {home}',
  'paper-excused': paperOr('noterede, at der ikke kommer et papir', 'undtog'),
  'paper-expected': paperOr('noterede, at der igen forventes et papir', 'forventer igen'),
  'folder-removed': ({ folder }) => `slettede en mappe (nr. ${folder?.id}) i {home}`,
  'file-added': ({ detail }) => `uploadede {file} til {place}${detail === 'draft' ? ' som kladde' : ''}`,
  'file-imported': ({ detail }) => {
    const [id = '', draft] = (detail ?? '').split(' ')
    return `flyttede {file} ind i {place}${draft ? ' som kladde' : ''}${importOf(id)}`
  },
  'file-import-undone': ({ detail }) =>
    `lagde {file} fra {place} i papirkurven${importOf(detail ?? '', ' er fortrudt')}`,
  'file-published': ({ detail }) => `udgav ${versionOf(detail)} i {place}`,
  'release-planned': 'planlagde at udgive {release}',
  'release-held': 'gjorde {release} til en kladde igen',
  'release-named': 'gav {release} et andet navn',
  'release-asked': 'bad om godkendelse af {release}',
  'release-approved': 'godkendte {release}',
  'release-rejected': 'afviste {release}',
  'act-asked': ({ detail }) => `bad en kollega om godkendelse for at ${wishedAct(detail)}`,
  'act-approved': ({ detail }) => `godkendte, at {user} ville ${wishedAct(detail)}`,
  'act-rejected': ({ detail }) => `afviste, at {user} ville ${wishedAct(detail)}`,
  'act-taken-back': ({ detail }) => `ville alligevel ikke ${wishedAct(detail)}`,
  'act-lapsed': ({ detail }) =>
    `lod det bortfalde, at {user} ville ${wishedAct(detail)}, fordi ingen svarede`,
  'release-mail-changed': 'ændrede mailen om {release}',
  'release-reminded': ({ detail }) => `sendte en påmindelse om {release}${toPeople(detail)}`,
  'release-openers-told': ({ detail }) =>
    `skrev til dem, der havde åbnet filer i {release}, at den er trukket tilbage${toPeople(detail, ':')}`,
  'release-told-again': ({ detail }) =>
    `sendte mails om {release}, der er udgivet igen${toPeople(detail, ', til')}`,
  'mails-asked': ({ detail }) => `bad om ${mailsOf(detail)}`,
  'mails-regretted': ({ detail }) => `fortrød ${mailsOf(detail)}, før de blev sendt`,
  'inbox-taken': 'tog filer fra {sender} i indbakken',
  'inbox-taken-over': 'overtog filer fra {sender} i indbakken',
  'inbox-put-back': 'lagde filer fra {sender} tilbage i indbakken',
  'inbox-finished': 'blev færdig med filer fra {sender} i indbakken',
  'inbox-reopened': 'åbnede filer fra {sender} igen i indbakken',
  'intake-received': 'modtog en indlevering i indbakken',
  'intake-opened': 'åbnede en fil i en indlevering',
  'intake-purged': 'slettede for altid, hvad der ikke blev gemt af en indlevering: {detail}',
  'file-recalled': ({ detail }) => `trak ${versionOf(detail)} tilbage fra {place}`,
  'file-replaced': ({ detail }) =>
    `erstattede {file} i {place} med en ny version${detail === 'draft' ? ', som kun kontoret kan se endnu' : ''}`,
  'contradiction-accepted': ({ detail }) =>
    `gemte {file} i {place} trods advarsel om ${listed((detail ?? '').split(',').map((kind) => WARNED_OF[kind] ?? 'indholdet'))}`,
  'version-restored': ({ detail }) => `gjorde ${versionOf(detail)} i {place} til den nyeste`,
  'version-dropped': ({ detail }) => `opgav ${versionOf(detail ?? 'new')} i {place}`,
  'version-removed': ({ detail }) => `slettede ${versionOf(detail)} i {place} for altid`,
  'file-opened': ({ detail }) => `åbnede ${versionOf(detail)} i {place}`,
  'file-downloaded': ({ detail }) => `hentede ${versionOf(detail)} fra {place}`,
  'file-sorted': orUndone(
    'gav {file} en ny plads i {place}',
    'fortrød og gav {file} sin gamle plads i {place}',
  ),
  'file-moved': orUndone('flyttede {file} til {place}', 'fortrød og flyttede {file} tilbage til {place}'),
  'file-moved-away': orUndone('flyttede {file} væk fra {place}', 'fortrød og tog {file} væk fra {place}'),
  'file-renamed': ({ detail, names }) => {
    const words = `${detail === UNDONE ? 'fortrød og ' : ''}omdøbte {file} i {place}`
    return names ? `${words} ${FROM_TO}` : words
  },
  'file-period-changed': ({ detail }) =>
    detail === UNDONE
      ? 'fortrød og rettede perioden for {file} i {place} tilbage'
      : `rettede perioden for {file} i {place}${periodsOf(detail)}`,
  'file-deleted': orUndone(
    'slettede {file} fra {place}',
    'fortrød og lagde {file} fra {place} tilbage i papirkurven',
  ),
  'file-restored': orUndone('gendannede {file} i {place}', 'fortrød og gendannede {file} i {place}'),
  'file-removed': ({ file }) => `slettede en fil for altid (nr. ${file?.id}) fra {place}`,
  'report-opened': 'åbnede {report}',
  'report-downloaded': 'hentede {report} som Excel',
  'report-saved': 'gemte {report}',
  'report-row-locked': 'låste en række i {report}',
  'report-row-unlocked': 'låste en række op i {report}',
  'office-changed': ({ detail, names }) => {
    const fields = wordsIn(detail, OFFICE_WORDS)
    const what = fields.length > 0 ? `kontorets ${listed(fields)}` : 'oplysningerne om kontoret'
    const isRenamed = names !== null && names.before !== '' && names.after !== ''
    return `ændrede ${what}${!isRenamed ? '' : fields.length === 1 ? ` ${FROM_TO}` : `, navnet ${FROM_TO}`}`
  },
  'office-logo-changed': 'ændrede kontorets logo',
  'office-logo-removed': 'fjernede kontorets logo',
  'approval-changed': ({ detail }) =>
    detail === 'on'
      ? 'valgte, at udgivelser skal godkendes af en kollega'
      : 'valgte, at udgivelser ikke skal godkendes af en kollega',
  'outside-tokens-changed': ({ detail }) =>
    `valgte, at investorer og rådgivere ${detail === 'on' ? 'må' : 'ikke må'} lave API-nøgler`,
  'sure-papers-changed': ({ detail }) =>
    `valgte, at sikre papirer ${detail === 'on' ? 'lægges' : 'ikke lægges'} på plads af sig selv`,
  'search-words-changed': 'ændrede de ord, der betyder det samme i søgningen',
  'test-mail-sent': ({ detail }) =>
    detail === 'accepted'
      ? 'sendte en prøvemail, som mailserveren tog imod'
      : 'prøvede at sende en prøvemail, som mailserveren ikke tog imod',
  'obligation-added': ({ detail }) => `tilføjede ${obligationOf(detail)}`,
  'obligation-changed': ({ detail }) => `ændrede ${obligationOf(detail)}`,
  'obligation-removed': ({ detail }) => `slettede ${obligationOf(detail)}`,
  'duty-done': ({ detail }) => `markerede ${dutyOf(detail)} for {project} som udført`,
  'duty-reopened': ({ detail }) => `åbnede ${dutyOf(detail)} for {project} igen`,
  'duty-event': ({ detail }) => `meldte en hændelse, som giver ${dutyOf(detail)} for {project}`,
  'duty-withdrawn': ({ detail }) => `trak hændelsen bag ${dutyOf(detail)} for {project} tilbage`,
  'receipt-used': 'lukkede fristen for {project} med kvitteringen ”{detail}”',
  'receipt-refused': 'lagde kvitteringen ”{detail}” væk, fordi den ikke passer',
  'receipt-taught': 'viste Ringbind, hvordan kvitteringen ”{detail}” ser ud',
  'receipt-forgotten': 'slettede layoutet af kvitteringen ”{detail}”',
  'duty-given': ({ subject, detail }) =>
    subject
      ? `gjorde {user} ansvarlig for ${dutyOf(detail)} for {project}`
      : `fjernede den ansvarlige for ${dutyOf(detail)} for {project}`,
  'calendar-made': 'lavede en adresse til sin kalender',
  'calendar-ended': 'fjernede adressen til sin kalender',
  'hook-added': ({ detail }) => `tilføjede ${hookOf(detail)}`,
  'hook-changed': ({ detail }) => `ændrede ${hookOf(detail)}`,
  'hook-switched-on': ({ detail }) => `slog ${hookOf(detail)} til`,
  'hook-switched-off': ({ detail }) => `slog ${hookOf(detail)} fra`,
  'hook-stopped': ({ detail }) => `slog ${hookOf(detail)} fra, fordi modtageren ikke tog imod`,
  'hook-secret-renewed': ({ detail }) => `lavede en ny hemmelig nøgle til ${hookOf(detail)}`,
  'hook-removed': ({ detail }) => `slettede ${hookOf(detail)}`,
  'sheet-imported': fromSheet('flyttede projekter og personer ind'),
  'sheet-undone': fromSheet('fortrød indflytningen'),
  'log-exported': ({ subject, project, file }) => {
    const about = [subject && 'om {user}', project && 'om {project}', file && 'om {file}'].filter(Boolean)
    return ['hentede loggen', ...about, 'som CSV'].join(' ')
  },
}

/** Words for an act that a sheet may have done. */
function fromSheet(words: string): Words {
  return ({ detail }) => `${words}${sheetText(detail)}`
}

/** Words for an act, or for undoing another one. */
function orUndone(words: string, undone: string): Words {
  return ({ detail }) => (detail === UNDONE ? undone : words)
}

const ROLES_WORDS: Record<Role, string> = {
  administrator: 'administratorer',
  employee: 'medarbejdere',
  auditor: 'revisorer',
  investor: 'investorer',
  adviser: 'rådgivere',
}

const FIELD_WORDS: Partial<Record<string, { word: string; alone: string }>> = {
  name: { word: 'navn', alone: 'navnet' },
  email: { word: 'e-mail', alone: 'e-mailen' },
  numbers: { word: 'numre', alone: 'numrene' },
}

const OFFICE_WORDS: Partial<Record<string, string>> = {
  name: 'navn',
  contact_person: 'kontaktperson',
  phone: 'telefonnummer',
  email: 'e-mail',
}

const FROM_TO = 'fra ”{before}” til ”{after}”'

const SCOPE_WORDS: Record<string, string> = { read: 'læse', upload: 'uploade', manage: 'ændre' }

const FACTOR_WORDS: Record<string, string> = { app: 'en kode-app', passkey: 'en adgangsnøgle' }

/** Names the contradictions that somebody accepted. */
const WARNED_OF: Record<string, string> = {
  unreadable: 'at den ikke kan læses',
  reading: 'at den ikke var læst endnu',
  project: 'et andet projekt',
  year: 'et andet årstal',
  person: 'en anden investor',
  cpr: 'et CPR-nummer',
}
