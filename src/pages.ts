import type { ComponentProps } from 'react'
import type { Frame } from './ui/basic/frame.ts'

/** TABLE 3: every page, each a lazy chunk. The name is that of its file: `login` is `login-page.tsx`. */
export const pages = {
  error: () => import('./ui/shell/error-page.tsx').then((file) => file.ErrorPage),
  login: () => import('./accounts/sign-in/login-page.tsx').then((file) => file.LoginPage),
  prove: () => import('./accounts/proof/prove-page.tsx').then((file) => file.ProvePage),
  setup: () => import('./accounts/sign-in/setup-page.tsx').then((file) => file.SetupPage),
  'forgot-password': () =>
    import('./accounts/sign-in/forgot-password-page.tsx').then((file) => file.ForgotPasswordPage),
  'set-password': () =>
    import('./accounts/sign-in/set-password-page.tsx').then((file) => file.SetPasswordPage),
  'second-step': () => import('./accounts/factor/second-step-page.tsx').then((file) => file.SecondStepPage),
  'second-factor': () =>
    import('./accounts/factor/second-factor-page.tsx').then((file) => file.SecondFactorPage),
  'sign-in-rules': () =>
    import('./accounts/demands/sign-in-rules-page.tsx').then((file) => file.SignInRulesPage),
  'go-on': () => import('./accounts/oidc/go-on-page.tsx').then((file) => file.GoOnPage),
  'dead-link': () => import('./accounts/sign-in/dead-link-page.tsx').then((file) => file.DeadLinkPage),
  profile: () => import('./accounts/profile/profile-page.tsx').then((file) => file.ProfilePage),
  tokens: () => import('./accounts/tokens/tokens-page.tsx').then((file) => file.TokensPage),
  gallery: () => import('./gallery/gallery-page.tsx').then((file) => file.GalleryPage),
  projects: () => import('./projects/projects-page.tsx').then((file) => file.ProjectsPage),
  'edit-project': () => import('./projects/edit-project-page.tsx').then((file) => file.EditProjectPage),
  folders: () => import('./projects/folders-page.tsx').then((file) => file.FoldersPage),
  files: () => import('./files/list/files-page.tsx').then((file) => file.FilesPage),
  trash: () => import('./files/trash/trash-page.tsx').then((file) => file.TrashPage),
  releases: () => import('./releases/releases-page.tsx').then((file) => file.ReleasesPage),
  release: () => import('./releases/release-page.tsx').then((file) => file.ReleasePage),
  inbox: () => import('./inbox/inbox-page.tsx').then((file) => file.InboxPage),
  upload: () => import('./uploads/form/upload-page.tsx').then((file) => file.UploadPage),
  split: () => import('./uploads/split/split-page.tsx').then((file) => file.SplitPage),
  'my-files': () => import('./uploads/form/my-files-page.tsx').then((file) => file.MyFilesPage),
  'upload-result': () =>
    import('./uploads/result/upload-result-page.tsx').then((file) => file.UploadResultPage),
  report: () => import('./report/report-page.tsx').then((file) => file.ReportPage),
  'edit-user': () => import('./people/edit-user-page.tsx').then((file) => file.EditUserPage),
  lendings: () => import('./people/lend/lendings-page.tsx').then((file) => file.LendingsPage),
  readers: () => import('./people/readers/readers-page.tsx').then((file) => file.ReadersPage),
  'seen-by': () => import('./people/readers/seen-by-page.tsx').then((file) => file.SeenByPage),
  lender: () => import('./people/lender-page.tsx').then((file) => file.LenderPage),
  user: () => import('./people/user-page.tsx').then((file) => file.UserPage),
  users: () => import('./people/users-page.tsx').then((file) => file.UsersPage),
  papers: () => import('./files/mailed/papers-page.tsx').then((file) => file.PapersPage),
  'my-papers': () => import('./year/papers/my-papers-page.tsx').then((file) => file.MyPapersPage),
  overview: () => import('./year/overview/overview-page.tsx').then((file) => file.OverviewPage),
  paper: () => import('./year/overview/paper-page.tsx').then((file) => file.PaperPage),
  search: () => import('./search/search-page.tsx').then((file) => file.SearchPage),
  duties: () => import('./year/due/duties-page.tsx').then((file) => file.DutiesPage),
  import: () => import('./moving/sheet/import-page.tsx').then((file) => file.ImportPage),
  sheet: () => import('./moving/sheet/sheet-page.tsx').then((file) => file.SheetPage),
  receipt: () => import('./year/receipts/receipt-page.tsx').then((file) => file.ReceiptPage),
  obligations: () => import('./year/obligations/obligations-page.tsx').then((file) => file.ObligationsPage),
  'edit-obligation': () =>
    import('./year/obligations/edit-obligation-page.tsx').then((file) => file.EditObligationPage),
  calendar: () => import('./year/calendar/calendar-page.tsx').then((file) => file.CalendarPage),
  programs: () => import('./programs/programs-page.tsx').then((file) => file.ProgramsPage),
  hook: () => import('./programs/hooks/hook-page.tsx').then((file) => file.HookPage),
  'edit-hook': () => import('./programs/hooks/edit-hook-page.tsx').then((file) => file.EditHookPage),
  office: () => import('./office/office-page.tsx').then((file) => file.OfficePage),
  docs: () => import('./programs/docs-page.tsx').then((file) => file.DocsPage),
  status: () => import('./watch/status-page.tsx').then((file) => file.StatusPage),
  log: () => import('./log/log-page.tsx').then((file) => file.LogPage),
  help: () => import('./help/help-page.tsx').then((file) => file.HelpPage),
  'help-chapter': () => import('./help/help-chapter-page.tsx').then((file) => file.HelpChapterPage),
  start: () => import('./start/start-page.tsx').then((file) => file.StartPage),
}

export type PageName = keyof typeof pages
export type PageProps<Name extends PageName> = ComponentProps<Awaited<ReturnType<(typeof pages)[Name]>>>

/** The data sent with the HTML, so that the browser can render the same page. */
export type Envelope = { name: PageName; props: unknown; frame: Frame }
