import { addsToTitle, errorWords } from '../../base/error-words.ts'
import { isOffice, may } from '../../rights.ts'
import { urls } from '../../urls.ts'
import { FrameProvider, useFrame, type FrameUser } from '../basic/frame.ts'
import { LinkButton } from '../basic/link-button.tsx'
import { PageFrame } from './page-frame.tsx'
import { Shell } from './shell.tsx'

type ErrorPageProps = {
  status: number
  message: string
  /** The request's id, which is also in the log. */
  requestId: string
  /** The form was too old to be sent. */
  isExpired: boolean
  /** Replaces the usual title for this status. */
  title?: string | undefined
  /** Replaces the usual advice for this status. */
  help?: string | undefined
  /** Without a database, the menu would lead nowhere, and the office's logo cannot be fetched. */
  hasMenu: boolean
}

/** The page for every error status. It needs no database. A signed-in user keeps the menu. */
export function ErrorPage(props: ErrorPageProps) {
  const frame = useFrame()
  const { user, office } = frame
  const title = props.title ?? errorWords(props.status, props.isExpired).title
  const above = `Fejl ${props.status}`
  if (user && props.hasMenu)
    return (
      <Shell title={title} above={above}>
        <div className="max-w-[640px] rounded-card border border-line bg-surface p-6">
          <Words {...props} user={user} />
        </div>
      </Shell>
    )
  const shown = { ...frame, office: props.hasMenu ? office : { ...office, logo: null } }
  return (
    <FrameProvider value={shown}>
      <PageFrame>
        <p className="text-meta text-muted">{above}</p>
        <h1 className="mt-1 mb-3 text-title font-semibold">{title}</h1>
        <Words {...props} user={null} />
      </PageFrame>
    </FrameProvider>
  )
}

function Words({
  status,
  message,
  requestId,
  isExpired,
  help: own,
  user,
}: ErrorPageProps & { user: FrameUser | null }) {
  const words = errorWords(status, isExpired)
  const help =
    own ??
    (user && isOffice(user.role)
      ? words.help.replace('kontakt kontoret', 'spørg en administrator')
      : words.help)
  return (
    <div className="grid gap-3">
      {!isExpired && addsToTitle(words, message) && <p>{message}</p>}
      {help !== '' && <p className="text-muted">{help}</p>}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <WayOn status={status} user={user} />
        {status >= 500 && <span className="text-meta text-muted">Fejlnummer {requestId}</span>}
      </div>
    </div>
  )
}

function WayOn({ status, user }: { status: number; user: FrameUser | null }) {
  if (status === 401)
    return (
      <LinkButton href={urls.login} target="_blank" rel="noopener">
        Log ind i en ny fane
      </LinkButton>
    )
  if (status === 503 || status === 429) return <LinkButton href="">Prøv igen</LinkButton>
  return (
    <>
      <LinkButton href={urls.start}>Til forsiden</LinkButton>
      {status === 404 && user && may(user.role, 'seeProjects') && (
        <LinkButton kind="secondary" href={may(user.role, 'seePapers') ? urls.papersPage : urls.projects}>
          {may(user.role, 'seePapers') ? 'Til mine papirer' : 'Til projekterne'}
        </LinkButton>
      )}
    </>
  )
}
