import type { Act } from './act.ts'

type Group = 'Filer' | 'Projekter og mapper' | 'Brugere' | 'Adgang' | 'Log'

/** Every act as it is chosen from a list. */
export const ACT_NAMES: Record<Act, { group: Group; text: string }> = {
  'file-added': { group: 'Filer', text: 'Fil uploadet' },
  'file-opened': { group: 'Filer', text: 'Fil åbnet' },
  'file-downloaded': { group: 'Filer', text: 'Fil hentet' },
  'file-sorted': { group: 'Filer', text: 'Rækkefølge ændret' },
  'file-moved': { group: 'Filer', text: 'Fil flyttet' },
  'file-moved-away': { group: 'Filer', text: 'Fil flyttet til en anden bruger' },
  'file-deleted': { group: 'Filer', text: 'Fil slettet' },
  'file-restored': { group: 'Filer', text: 'Fil gendannet' },
  'file-removed': { group: 'Filer', text: 'Fil slettet for altid' },
  'project-added': { group: 'Projekter og mapper', text: 'Projekt oprettet' },
  'project-changed': { group: 'Projekter og mapper', text: 'Projekt ændret' },
  'member-added': { group: 'Projekter og mapper', text: 'Medlem tilføjet' },
  'member-removed': { group: 'Projekter og mapper', text: 'Medlem fjernet' },
  'folder-added': { group: 'Projekter og mapper', text: 'Mappe oprettet' },
  'folder-changed': { group: 'Projekter og mapper', text: 'Mappe ændret' },
  'folder-moved': { group: 'Projekter og mapper', text: 'Mappe flyttet' },
  'folder-removed': { group: 'Projekter og mapper', text: 'Mappe slettet' },
  'user-added': { group: 'Brugere', text: 'Bruger oprettet' },
  'user-invited': { group: 'Brugere', text: 'Bruger inviteret' },
  'invitation-accepted': { group: 'Brugere', text: 'Invitation accepteret' },
  'user-changed': { group: 'Brugere', text: 'Bruger ændret' },
  'role-changed': { group: 'Brugere', text: 'Rolle ændret' },
  'user-deactivated': { group: 'Brugere', text: 'Bruger deaktiveret' },
  'user-reactivated': { group: 'Brugere', text: 'Bruger genaktiveret' },
  'profile-changed': { group: 'Brugere', text: 'Profil ændret' },
  'profile-image-changed': { group: 'Brugere', text: 'Profilbillede ændret' },
  'profile-image-removed': { group: 'Brugere', text: 'Profilbillede fjernet' },
  'report-saved': { group: 'Brugere', text: 'Rapport gemt' },
  'report-row-locked': { group: 'Brugere', text: 'Række i rapport låst' },
  'report-row-unlocked': { group: 'Brugere', text: 'Række i rapport låst op' },
  'sign-in': { group: 'Adgang', text: 'Logget ind' },
  'sign-in-failed': { group: 'Adgang', text: 'Mislykket login' },
  'sign-out': { group: 'Adgang', text: 'Logget ud' },
  'session-ended': { group: 'Adgang', text: 'Enhed logget ud' },
  'other-sessions-ended': { group: 'Adgang', text: 'Andre enheder logget ud' },
  'password-reset-asked': { group: 'Adgang', text: 'Bedt om ny adgangskode' },
  'password-reset': { group: 'Adgang', text: 'Ny adgangskode valgt via link' },
  'password-changed': { group: 'Adgang', text: 'Adgangskode ændret' },
  'password-change-failed': { group: 'Adgang', text: 'Forkert adgangskode under profil' },
  setup: { group: 'Adgang', text: 'Første administrator oprettet' },
  'log-exported': { group: 'Log', text: 'Log hentet som CSV' },
}

/** The acts, group by group. */
export const ACT_GROUPS = [...Map.groupBy(Object.keys(ACT_NAMES) as Act[], (act) => ACT_NAMES[act].group)]
