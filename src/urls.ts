/** A row's id, or its placeholder in a route: `:project`. */
type Id = number | `:${string}`

/** TABLE 1: every address. Routes and links use it; no other code writes an address out. */
export const urls = {
  start: '/',
  login: '/login',
  /** The second step of the sign-in. */
  secondStep: '/login/code',
  passkeySignIn: '/login/passkey',
  /** The question that a passkey answers. */
  askPasskey: '/api/passkey',
  logout: '/logout',
  /** Where a signed-in person proves again who they are. */
  prove: '/prove',
  proveWith: (provider: string) => `/prove/with/${provider}`,
  setup: '/setup',
  forgotPassword: '/forgot-password',
  resetPassword: (token: string) => `/reset-password/${token}`,
  invitation: (token: string) => `/invitation/${token}`,
  /** Sends a new link to the person of an expired one. */
  newReset: (token: string) => `/reset-password/${token}/again`,
  newInvitation: (token: string) => `/invitation/${token}/again`,
  /** Signing in at another place: a post begins, and the browser comes back with the answer. */
  signInWith: (provider: string) => `/login/with/${provider}`,
  providerAnswer: (provider: string) => `/login/with/${provider}/answer`,
  acceptWith: (token: string, provider: string) => `/invitation/${token}/with/${provider}`,
  projects: '/projects',
  newProject: '/projects/new',
  editProject: (project: Id) => `/projects/${project}/edit`,
  projectFolders: (project: Id) => `/projects/${project}/folders`,
  templateFolders: '/settings/folders',
  /** Gives the folders of all projects the expectations of the template. */
  applyExpectations: '/settings/folders/expectations',
  /** The office's name, logo and contact. */
  office: '/settings/office',
  officeLogo: '/settings/office/logo',
  officeApproval: '/settings/office/approval',
  /** Whether sure papers of a pile are put in their places at once. */
  officePlacing: '/settings/office/placing',
  /** Words that mean the same in a search, as the office says. */
  officeWords: '/settings/office/words',
  testMail: '/settings/office/test-mail',
  /** People and projects from a sheet: the template, a sheet that waits, and earlier imports. */
  import: '/settings/import',
  givenSheet: '/settings/import/sheet.xlsx',
  sheet: (sheet: Id) => `/settings/import/sheets/${sheet}`,
  listSheetRows: (sheet: Id) => `/api/settings/import/sheets/${sheet}/rows`,
  discardSheet: (sheet: Id) => `/settings/import/sheets/${sheet}/discard`,
  sheetColumns: (sheet: Id) => `/settings/import/sheets/${sheet}/columns`,
  sheetRest: (sheet: Id) => `/settings/import/sheets/${sheet}/rest.xlsx`,
  importRest: (done: Id) => `/settings/import/${done}/rest.xlsx`,
  inviteImported: (done: Id) => `/settings/import/${done}/invite`,
  cancelInvitations: (done: Id) => `/settings/import/${done}/regret-invitations`,
  /** From when the office follows the projects that are there. */
  followAll: '/settings/import/followed',
  undoImport: (done: Id) => `/settings/import/${done}/undo`,
  /** How people must sign in. */
  signInRules: '/settings/sign-in',
  /** How the installation is doing. */
  status: '/settings/status',
  /** The office's logo, for everybody. Another logo has another key. */
  logo: (key: string) => `/office/logo/${key}`,
  /** A folder of a project or of the template; `folders` is one of the two addresses above. */
  folder: (folders: string, folder: Id) => `${folders}/${folder}`,
  moveFolder: (folders: string, folder: Id) => `${folders}/${folder}/move`,
  removeFolder: (folders: string, folder: Id) => `${folders}/${folder}/remove`,
  addSubName: (project: Id, folder: Id) => `/projects/${project}/folders/${folder}/sub-names`,
  /** Marks everything new as read: in a project, in your own files, or in both. */
  projectSeen: (project: Id) => `/projects/${project}/seen`,
  myFilesSeen: '/my-files/seen',
  lenderSeen: (lender: Id) => `/users/${lender}/seen`,
  seen: '/seen',
  /** The file list. */
  files: (project: Id) => `/projects/${project}/uploads`,
  /** Everything that an investor has, or that an adviser is lent. */
  papersPage: '/papers',
  /** The papers that a mail named: see `writePaperIds`. */
  papers: (papers: string) => `/papers/${papers}`,
  uploadTo: (project: Id, folder: Id) => `/projects/${project}/uploads/folder/${folder}`,
  trash: (project: Id) => `/projects/${project}/trash`,
  /** The years of what you see, each as one package: of everything, of a project, or of what a person lends you. */
  yearPackages: '/packages',
  yearPackage: (year: Id) => `/packages/${year}`,
  projectPackage: (project: Id, year: Id) => `/projects/${project}/packages/${year}`,
  lenderPackage: (lender: Id, year: Id) => `/users/${lender}/packages/${year}`,
  /** Uploads for one project, or for all of them. */
  uploadToProject: (project: Id) => `/projects/${project}/upload`,
  upload: '/upload',
  uploadToUsers: '/users/upload',
  /** Divides one PDF among investors; `file` is one that was sent already. */
  splitUpload: '/upload/split',
  /** Opens a file that one has sent and not saved. */
  sentFile: (hashName: string) => `/upload/sent/${hashName}`,
  /** Uploads for one person. */
  uploadToUser: (user: Id) => `/users/${user}/upload`,
  myFiles: '/my-files',
  users: '/users',
  newUser: '/users/new',
  /** The list of people with some filters: `'?filter=never'`. */
  filteredUsers: (filters: string) => `/users${filters}`,
  /** Acts on many people of the list. */
  inviteMany: '/users/invite',
  addToProject: '/users/add-to-project',
  /** Takes back invitations to many that have not left. */
  regretInvitations: (mailing: Id) => `/users/invitations/${mailing}/regret`,
  user: (user: Id) => `/users/${user}`,
  /** The people to whom an investor lends access: for the investor, and for an administrator. */
  ownLendings: '/profile/access',
  lendings: (user: Id) => `/users/${user}/access`,
  /** One of them; `lendings` is one of the two addresses above. */
  lending: (lendings: string, lending: Id) => `${lendings}/${lending}`,
  takeBack: (lendings: string, lending: Id) => `${lendings}/${lending}/take-back`,
  editUser: (user: Id) => `/users/${user}/edit`,
  inviteUser: (user: Id) => `/users/${user}/invite`,
  sendPasswordLink: (user: Id) => `/users/${user}/send-password-link`,
  endSessions: (user: Id) => `/users/${user}/end-sessions`,
  /** An administrator removes somebody's login at a provider. */
  unlinkOthers: (user: Id, identity: Id) => `/users/${user}/identities/${identity}/unlink`,
  resetFactors: (user: Id) => `/users/${user}/reset-second-factor`,
  /** Shows an administrator Ringbind as the person sees it. */
  viewAs: (user: Id) => `/users/${user}/view-as`,
  stopViewing: '/stop-viewing',
  deactivateUser: (user: Id) => `/users/${user}/deactivate`,
  reactivateUser: (user: Id) => `/users/${user}/reactivate`,
  /** An investor's external companies. */
  report: (user: Id) => `/users/${user}/report`,
  reportFile: (user: Id) => `/users/${user}/report.xlsx`,
  userTrash: (user: Id) => `/users/${user}/trash`,
  /** A new image has a new key. */
  userImage: (user: Id, key: string) => `/users/${user}/image/${key}`,
  profile: '/profile',
  /** The page after a form of the profile, without JavaScript. */
  profileAfter: (what: string) => `/profile?done=${what}`,
  profilePassword: '/profile/password',
  profileImage: '/profile/image',
  factors: '/profile/second-factor',
  /** The same for a person who has just chosen their first password: offers a passkey, once. */
  firstPasskey: '/profile/second-factor?first',
  codeApp: '/profile/second-factor/app',
  removeCodeApp: '/profile/second-factor/app/remove',
  /** The question for a new passkey. */
  askNewPasskey: '/api/profile/passkey',
  passkeys: '/profile/second-factor/passkeys',
  removePasskey: (passkey: Id) => `/profile/second-factor/passkeys/${passkey}/remove`,
  recoveryCodes: '/profile/second-factor/codes',
  /** A person's own API keys, and those of everybody. */
  ownTokens: '/profile/tokens',
  revokeOwnToken: (token: Id) => `/profile/tokens/${token}/revoke`,
  tokens: '/settings/tokens',
  /** Whether investors and advisers may make them. */
  outsideTokens: '/settings/tokens/outside',
  revokeToken: (token: Id) => `/settings/tokens/${token}/revoke`,
  linkProvider: (provider: string) => `/profile/link/${provider}`,
  unlinkIdentity: (identity: Id) => `/profile/identities/${identity}/unlink`,
  profileMails: '/profile/mails',
  /** Whether an administrator gets mails about accounts that are guessed at. */
  profileWarnings: '/profile/warnings',
  /** For mail programs: a post ends the mails about new files, anything else leads to the profile. */
  stopMails: (token: string) => `/stop-mails/${token}`,
  endSession: (session: Id) => `/profile/sessions/${session}/end`,
  endOtherSessions: '/profile/sessions/end-others',
  log: '/log',
  logCsv: '/log.csv',
  fileHistory: (file: Id) => `/files/${file}/history`,
  /** All that has to be done, in three views: a grid of one year, the list by date, and the rules. The first two as spreadsheets. */
  year: '/year',
  yearSheet: '/year/excel',
  yearList: '/year/list',
  yearListSheet: '/year/list/excel',
  yearRules: '/year/rules',
  /** Where the views were before: they lead to them. */
  oldOverview: '/overview',
  oldDuties: '/obligations',
  oldRules: '/settings/obligations',
  /** A folder's papers of one period. */
  paper: (folder: Id, period: string) => `/overview/${folder}/${period}`,
  /** Searches everything that the reader sees: the page, its list, and what the box suggests. */
  search: '/search',
  searchAnswers: '/api/search',
  suggestions: '/api/search/suggest',
  /** The searches that a person has saved. */
  savedSearches: '/search/saved',
  removeSavedSearch: (search: Id) => `/search/saved/${search}/remove`,
  /** Who sees a project, a folder or a file. */
  readers: (kind: 'project' | 'folder' | 'file', id: Id) => `/${kind}s/${id}/readers`,
  listReaders: (kind: 'project' | 'folder' | 'file', id: Id) => `/api/${kind}s/${id}/readers`,
  /** What a person sees. */
  seenBy: (user: Id) => `/users/${user}/sees`,
  listSeen: (user: Id) => `/api/users/${user}/sees`,
  /** The manual: its chapters and its search, one chapter, and a picture, whose name has a part of its hash. */
  help: '/help',
  helpChapter: (chapter: string) => `/help/${chapter}`,
  helpPicture: (file: string) => `/help/pictures/${file}`,
  theme: '/theme',
  /** An administrator's decisions about the first steps on the start page. */
  firstSteps: '/first-steps',
  gallery: '/gallery',
  health: '/healthz',
  ready: '/readyz',
  /** For Prometheus. */
  metrics: '/metrics',
  assets: '/assets/',
  api: '/api/',
  /** Where a page reports its faults. */
  fault: '/api/fault',
  /** A stream of changes to what a page shows: `changesOf`. */
  changes: '/api/changes',
  /** The API for programs: who they are, its description, and the page about it. */
  me: '/api/me',
  apiDescription: '/api/openapi.json',
  apiDocs: '/api/docs',
  listProjects: '/api/projects',
  listUsers: '/api/users',
  /** The same list for its page, with what its filters would show. */
  listPeople: '/api/people',
  listLog: '/api/log',
  /** A file's bytes, for programs. */
  fileContent: (file: Id) => `/api/files/${file}/content`,
  listFileHistory: (file: Id) => `/api/files/${file}/history`,
  listFolders: (project: Id) => `/api/projects/${project}/folders`,
  folderOptions: (project: Id) => `/api/projects/${project}/folder-options`,
  /** Takes an act on files back. */
  undo: (undo: string) => `/api/undo/${undo}`,
  moveFile: (project: Id) => `/api/projects/${project}/move-file`,
  temporaryUpload: '/api/temp/upload',
  /** Receives large files in pieces. */
  tus: '/api/temp/tus',
  /** A file sent in whole or in part. */
  temporaryFile: (hashName: string) => `/api/temp/tus/${hashName}`,
  /** Signs an upload that the browser sends to the store itself, and takes the browser's report that it is done. */
  signUpload: '/api/temp/sign',
  directFile: (hashName: string) => `/api/temp/direct/${hashName}`,
  /** The judgements of a pile's papers, as far as they are read. */
  readTemporary: '/api/temp/read',
  /** The piles of upload forms that are not saved yet: keeps them and finds them again. */
  unsavedPile: '/api/temp/pile',
  discardPile: '/api/temp/pile/discard',
  /** Files that programs send, each to the place that its name says. */
  fileByName: '/api/uploads',
  resolveUpload: '/api/upload/resolve',
  findDuplicates: '/api/upload/duplicates',
  readSplit: '/api/upload/split',
  splitPictures: (hashName: string) => `/api/upload/split/${hashName}/pages`,
  /** Releases: what the office has published, or holds back. */
  releases: '/releases',
  release: (release: Id) => `/releases/${release}`,
  /** A tab of its page; that of its papers is the page itself. */
  releaseTab: (release: Id, tab: 'papers' | 'recipients' | 'mails' | 'history') =>
    `/releases/${release}${tab === 'papers' ? '' : `/${tab}`}`,
  releaseAct: (release: Id, act: string) => `/releases/${release}/${act}`,
  /** Those whom it reaches and who have opened nothing of it. */
  unopened: (release: Id) => `/releases/${release}/recipients?filter=unopened`,
  /** Accepts papers that are held because of their contents. */
  acceptPapers: '/releases/held/accept',
  askedAct: (act: string, answer: 'approve' | 'reject' | 'take-back') => `/releases/asked/${act}/${answer}`,
  releaseOpenings: (release: Id) => `/releases/${release}/openings.csv`,
  releasePeopleCsv: (release: Id) => `/releases/${release}/people.csv`,
  listReleases: '/api/releases',
  listReleasePapers: (release: Id) => `/api/releases/${release}/papers`,
  listReleasePeople: (release: Id) => `/api/releases/${release}/people`,
  /** Files from investors and intakes: all, or those that are new, mine or done. */
  inbox: (filter: 'all' | 'new' | 'mine' | 'done' | ':filter') =>
    filter === 'all' ? '/inbox' : `/inbox/${filter}`,
  inboxAct: (item: Id, act: string) => `/inbox/${item}/${act}`,
  /** A file that waits there. */
  intakeFile: (item: Id, file: Id) => `/inbox/${item}/files/${file}`,
  listInbox: (filter: string) => `/api/inbox/${filter}`,
  /** Reads some items, wherever they stand now. */
  readInbox: '/api/inbox/items',
  /** An act on a duty, and on all that the filters find. */
  dutyAct: (duty: Id, act: 'done' | 'excuse' | 'expect' | 'reopen' | 'responsible' | 'withdraw') =>
    `/obligations/${duty}/${act}`,
  dutyEvents: '/obligations/events',
  dutiesResponsible: '/obligations/responsible',
  /** Shows what was read in a receipt; an administrator teaches its layout there. */
  receipts: '/receipts',
  receipt: (receipt: Id) => `/receipts/${receipt}`,
  receiptAct: (receipt: Id, act: 'accept' | 'refuse' | 'take-back' | 'teach') =>
    `/receipts/${receipt}/${act}`,
  removeReceiptLayout: (layout: Id) => `/settings/receipt-layouts/${layout}/remove`,
  newObligation: '/settings/obligations/new',
  editObligation: (obligation: Id) => `/settings/obligations/${obligation}`,
  removeObligation: (obligation: Id) => `/settings/obligations/${obligation}/remove`,
  /** Which programs use Ringbind: everybody's API keys, and the office's webhooks. */
  programs: '/settings/programs',
  hooks: '/settings/hooks',
  newHook: '/settings/hooks/new',
  hook: (hook: Id) => `/settings/hooks/${hook}`,
  editHook: (hook: Id) => `/settings/hooks/${hook}/edit`,
  hookAct: (hook: Id, act: 'on' | 'off' | 'test' | 'secret' | 'remove') => `/settings/hooks/${hook}/${act}`,
  sendHookAgain: (hook: Id, delivery: Id) => `/settings/hooks/${hook}/deliveries/${delivery}/again`,
  /** Where a person gets the address for their calendar, and ends it. */
  ownCalendar: '/profile/calendar',
  endCalendar: '/profile/calendar/end',
  /** The calendar that programs fetch. The secret is the proof. */
  calendar: (secret: string) => `/calendar/${secret}.ics`,
  /** Says whom files in some folders reach. */
  findReach: '/api/releases/reach',
  uploadResult: (submission: string) => `/upload/result/${submission}`,
  readReport: (user: Id) => `/api/users/${user}/report`,
  /** Moves a file that was uploaded to the wrong person. */
  moveUserFile: (user: Id) => `/api/users/${user}/move-file`,
  listUserFolders: (user: Id) => `/api/users/${user}/folders`,
  listUserFiles: (user: Id) => `/api/users/${user}/files`,
}

/** The owner of files: a project or a person. */
export type Owner = { project: Id } | { user: Id }

const homeOf = (owner: Owner) => ('project' in owner ? `/projects/${owner.project}` : `/users/${owner.user}`)

/** Addresses that are the same for the files of a project and of a person. */
export const fileUrls = {
  open: (owner: Owner, path: string) => `${homeOf(owner)}/uploads/${escaped(path)}`,
  download: (owner: Owner, path: string) => `${homeOf(owner)}/uploads/download/${escaped(path)}`,
  /** An archive of everything that the reader sees, or of some of it: see `zipOf`. A post keeps a selection of many. */
  zip: (owner: Owner) => `${homeOf(owner)}/zip`,
  /** A version of a file that is not shown: an older one, or one that waits. */
  openVersion: (owner: Owner, version: Id) => `${homeOf(owner)}/version/${version}`,
  downloadVersion: (owner: Owner, version: Id) => `${homeOf(owner)}/version/${version}/download`,
  restoreVersion: (owner: Owner, version: Id) => `${homeOf(owner)}/version/${version}/restore`,
  removeVersion: (owner: Owner, version: Id) => `${homeOf(owner)}/version/${version}/remove`,
  /** The form that replaces a file with a new version. */
  replace: (owner: Owner, file: Id) => `${homeOf(owner)}/file/${file}/replace`,
  /** The same as `open`, from us even where a bucket sends files: only our own origin may be shown inside a page. */
  show: (owner: Owner, path: string) => `${homeOf(owner)}/uploads/${escaped(path)}?show`,
  /** The details of a file in the panel beside the list. */
  look: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/look`,
  thumbnail: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/thumbnail`,
  list: (owner: Owner, folder: Id) => `/api${homeOf(owner)}/folder/${folder}/files`,
  updateOrder: (owner: Owner, folder: Id) => `/api${homeOf(owner)}/folder/${folder}/update-order`,
  file: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}`,
  moveUp: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/move-up`,
  moveDown: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/move-down`,
  restore: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/restore`,
  rename: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/rename`,
  period: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/period`,
  sort: (owner: Owner, folder: Id) => `/api${homeOf(owner)}/folder/${folder}/sort`,
  /** Changes many files at once; `foresee-move` only says whether a colleague would have to approve it. */
  many: (owner: Owner, act: 'move' | 'foresee-move' | 'delete' | 'restore' | 'remove' | 'place') =>
    `/api${homeOf(owner)}/files/${act}`,
  trash: (owner: Owner) => `/api${homeOf(owner)}/trash`,
  /** A file in the trash, to delete permanently. */
  deleted: (owner: Owner, file: Id) => `/api${homeOf(owner)}/trash/${file}`,
}

type ZipPart = { files: number[] } | { folder: number } | { year: number } | { selection: string }

/** Returns the address of an archive of some of an owner's files. */
export function zipOf(owner: Owner, part: ZipPart): string {
  const [[name, value]] = Object.entries(part) as [[string, unknown]]
  return `${fileUrls.zip(owner)}?${name}=${String(value)}`
}

/** Leaves `*` for routes. A list escapes two hundred paths, so it is done in one step. */
function escaped(path: string): string {
  return path === '*' ? path : encodeURIComponent(path).replaceAll('%2F', '/')
}

/** The things whose changes a page can listen for. */
export const LISTS = ['projects', 'users', 'log', 'releases', 'inbox', 'start'] as const
export const THINGS = ['project', 'user', 'project-trash', 'user-trash', 'release'] as const
export type Topic = (typeof LISTS)[number] | `${(typeof THINGS)[number]}:${number}`

/** The stream of changes for a page: `changesOf('project:12')`. */
export const changesOf = (topic: Topic) => `${urls.changes}?about=${topic}`

/** The log filtered by one person. */
export const logOf = ({ person }: { person: number }) => `${urls.log}?person=${person}`

/** The anchor of a folder in the file list. */
export function folderAnchor(folder: number): string {
  return `folder-${folder}`
}
