import type { Act } from '../../log/words/act.ts'
import type { LogEntry } from '../../log/words/entry.ts'

/** The events for other programs, with their Danish names and when they are sent. */
export const EVENTS = {
  'file.added': { text: 'Fil tilføjet', says: 'også en kladde, som kun kontoret kan se' },
  'file.changed': { text: 'Fil ændret', says: 'omdøbt, flyttet, ny version eller anden periode' },
  'file.published': { text: 'Fil udgivet', says: 'en kladde er blevet synlig for andre end kontoret' },
  'file.recalled': { text: 'Fil trukket tilbage', says: 'kun kontoret kan se den nu' },
  'file.deleted': { text: 'Fil slettet', says: 'lagt i papirkurven' },
  'file.restored': { text: 'Fil gendannet', says: 'hentet op af papirkurven' },
  'file.removed': { text: 'Fil slettet for altid', says: 'fjernet fra papirkurven' },
  'inbox.received': { text: 'Fil i indbakken', says: 'en investor har sendt en fil til kontoret' },
  'project.added': { text: 'Projekt oprettet', says: '' },
  'project.changed': { text: 'Projekt ændret', says: 'oplysninger, regnskabsår, mapper eller medlemmer' },
  'person.added': { text: 'Person oprettet', says: '' },
  'person.changed': { text: 'Person ændret', says: 'oplysninger, rolle, eller om personen er aktiv' },
} as const satisfies Record<string, { text: string; says: string }>

export type HookEvent = keyof typeof EVENTS

export const HOOK_EVENTS = Object.keys(EVENTS) as HookEvent[]

/** The message of the button that tries a hook. */
export const TEST_EVENT = 'ringbind.test'

/** 'Fil tilføjet' */
export function eventName(event: string): string {
  if (event === TEST_EVENT) return 'Prøve'
  return isEvent(event) ? EVENTS[event].text : event
}

const isEvent = (text: string): text is HookEvent => text in EVENTS

const NOT_TOLD: readonly HookEvent[] = []

/**
 * The events of each act of the log. The database has the same in `hook_acts`: a new event of an act needs a migration
 * that adds a row there.
 */
export const ACT_EVENTS: Record<Act, readonly HookEvent[]> = {
  'file-added': ['file.added', 'inbox.received'], // the latter only if an investor sent it
  'file-imported': ['file.added'],
  'file-import-undone': ['file.deleted'],
  'file-replaced': ['file.changed'],
  'version-restored': ['file.changed'],
  'file-moved': ['file.changed'],
  'file-renamed': ['file.changed'],
  'file-period-changed': ['file.changed'],
  'file-deleted': ['file.deleted'],
  'file-restored': ['file.restored'],
  'file-removed': ['file.removed'],
  'file-published': ['file.published'],
  'file-recalled': ['file.recalled'],
  'project-added': ['project.added'],
  'project-changed': ['project.changed'],
  'project-years-changed': ['project.changed'],
  'member-added': ['project.changed'],
  'member-removed': ['project.changed'],
  'folder-added': ['project.changed'],
  'folder-changed': ['project.changed'],
  'folder-shared': ['project.changed'],
  'folder-unshared': ['project.changed'],
  'folder-removed': ['project.changed'],
  'user-added': ['person.added'],
  'user-changed': ['person.changed'],
  'role-changed': ['person.changed'],
  'user-deactivated': ['person.changed'],
  'user-reactivated': ['person.changed'],
  'profile-changed': ['person.changed'],

  'file-moved-away': NOT_TOLD, // the place it came to sends the event
  'file-sorted': NOT_TOLD,
  'file-opened': NOT_TOLD,
  'file-downloaded': NOT_TOLD,
  'project-removed': NOT_TOLD, // only by taking an import back, and only while nothing else is there
  'user-removed': NOT_TOLD,
  'sheet-imported': NOT_TOLD,
  'sheet-undone': NOT_TOLD,
  'intake-received': NOT_TOLD,
  'intake-opened': NOT_TOLD,
  'intake-purged': NOT_TOLD,
  'status-mails-changed': NOT_TOLD,
  'token-added': NOT_TOLD,
  'token-revoked': NOT_TOLD,
  setup: NOT_TOLD,
  'sign-in': NOT_TOLD,
  'sign-in-failed': NOT_TOLD,
  'asked-to-wait': NOT_TOLD,
  'proof-failed': NOT_TOLD,
  'sign-out': NOT_TOLD,
  'password-reset-asked': NOT_TOLD,
  'password-reset': NOT_TOLD,
  'password-changed': NOT_TOLD,
  'mail-rate-changed': NOT_TOLD,
  'warnings-changed': NOT_TOLD,
  'password-change-failed': NOT_TOLD,
  'profile-image-changed': NOT_TOLD,
  'profile-image-removed': NOT_TOLD,
  'session-ended': NOT_TOLD,
  'other-sessions-ended': NOT_TOLD,
  'user-sessions-ended': NOT_TOLD,
  'password-link-sent': NOT_TOLD,
  'let-in': NOT_TOLD,
  'factor-added': NOT_TOLD,
  'factor-removed': NOT_TOLD,
  'recovery-codes-made': NOT_TOLD,
  'factors-reset': NOT_TOLD,
  'factor-demands-changed': NOT_TOLD,
  'identity-linked': NOT_TOLD,
  'identity-link-failed': NOT_TOLD,
  'identity-unlinked': NOT_TOLD,
  'user-invited': NOT_TOLD,
  'invitation-accepted': NOT_TOLD,
  'view-started': NOT_TOLD,
  'view-ended': NOT_TOLD,
  'access-lent': NOT_TOLD,
  'access-changed': NOT_TOLD,
  'access-taken-back': NOT_TOLD,
  'folder-moved': NOT_TOLD,
  'expectations-applied': NOT_TOLD,
  'paper-excused': NOT_TOLD,
  'paper-expected': NOT_TOLD,
  'contradiction-accepted': NOT_TOLD,
  'version-dropped': NOT_TOLD,
  'version-removed': NOT_TOLD,
  'release-planned': NOT_TOLD,
  'release-held': NOT_TOLD,
  'release-reminded': NOT_TOLD,
  'release-openers-told': NOT_TOLD,
  'release-told-again': NOT_TOLD,
  'mails-asked': NOT_TOLD,
  'mails-regretted': NOT_TOLD,
  'release-named': NOT_TOLD,
  'release-mail-changed': NOT_TOLD,
  'release-asked': NOT_TOLD,
  'release-approved': NOT_TOLD,
  'release-rejected': NOT_TOLD,
  'act-asked': NOT_TOLD,
  'act-approved': NOT_TOLD,
  'act-rejected': NOT_TOLD,
  'act-taken-back': NOT_TOLD,
  'act-lapsed': NOT_TOLD,
  'inbox-taken': NOT_TOLD,
  'inbox-taken-over': NOT_TOLD,
  'inbox-put-back': NOT_TOLD,
  'inbox-finished': NOT_TOLD,
  'inbox-reopened': NOT_TOLD,
  'log-exported': NOT_TOLD,
  'office-changed': NOT_TOLD,
  'office-logo-changed': NOT_TOLD,
  'office-logo-removed': NOT_TOLD,
  'approval-changed': NOT_TOLD,
  'outside-tokens-changed': NOT_TOLD,
  'sure-papers-changed': NOT_TOLD,
  'search-words-changed': NOT_TOLD,
  'test-mail-sent': NOT_TOLD,
  'obligation-added': NOT_TOLD,
  'obligation-changed': NOT_TOLD,
  'obligation-removed': NOT_TOLD,
  'duty-done': NOT_TOLD,
  'duty-reopened': NOT_TOLD,
  'duty-given': NOT_TOLD,
  'duty-event': NOT_TOLD,
  'duty-withdrawn': NOT_TOLD,
  'receipt-used': NOT_TOLD,
  'receipt-refused': NOT_TOLD,
  'receipt-taught': NOT_TOLD,
  'receipt-forgotten': NOT_TOLD,
  'calendar-made': NOT_TOLD,
  'calendar-ended': NOT_TOLD,
  'hook-added': NOT_TOLD,
  'hook-changed': NOT_TOLD,
  'hook-switched-on': NOT_TOLD,
  'hook-switched-off': NOT_TOLD,
  'hook-stopped': NOT_TOLD,
  'hook-secret-renewed': NOT_TOLD,
  'hook-removed': NOT_TOLD,
  'report-opened': NOT_TOLD,
  'report-downloaded': NOT_TOLD,
  'report-saved': NOT_TOLD,
  'report-row-locked': NOT_TOLD,
  'report-row-unlocked': NOT_TOLD,
}

type Named = { id: number; name: string | null }

/** One act as sent to other programs: ids, and the names that the office sees. The API has the rest. */
export type HookItem = {
  /** The entry's id in the log. */
  id: number
  at: string
  act: Act
  by: Named | null
  project: (Named & { number: string }) | null
  folder: Named | null
  /** Its name is null if the file is deleted for good. */
  file: Named | null
  person: Named | null
}

/**
 * A message holds at most this many acts of the same kind, so that a bulk act of thousands is sent in a few messages.
 */
export const MOST_ITEMS = 100

/** Returns the body of a message. */
export function messageOf(event: HookEvent, entries: LogEntry[]): string {
  const items = entries.map((entry) => itemOf(event, entry))
  return JSON.stringify({ type: event, timestamp: entries[0]?.at, data: { items } })
}

export function testMessageOf(at: Date): string {
  return JSON.stringify({ type: TEST_EVENT, timestamp: at.toISOString(), data: { items: [] } })
}

function itemOf(event: HookEvent, { id, at, act, user, project, folder, file, subject }: LogEntry): HookItem {
  // A person who changes their own profile is both user and subject.
  const person = subject ?? (event.startsWith('person.') ? user : null)
  return {
    id,
    at,
    act,
    by: namedOf(user),
    project: project && { id: project.id, number: project.number, name: project.name },
    folder: namedOf(folder),
    file: namedOf(file),
    person: namedOf(person),
  }
}

const namedOf = (thing: Named | null): Named | null => thing && { id: thing.id, name: thing.name }
