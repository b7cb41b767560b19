import { PageFrame } from './page-frame.tsx'

export type ErrorPageProps = {
  status: number
  message: string
  /** Ties the page to the line in the log. */
  requestId: string
  /** Where "start" is. */
  home: string
  /** The page itself was too old to be sent. */
  isExpired: boolean
  /** Instead of the advice for every answer of this status. */
  help?: string | undefined
}

const HELP: Record<number, { title: string; help: string }> = {
  403: {
    title: 'Ingen adgang',
    help: 'Mener du, at du burde have adgang, så spørg den administrator, der gav dig dit login.',
  },
  404: {
    title: 'Siden findes ikke',
    help: 'Adressen er måske skrevet forkert, eller også er det, du leder efter, flyttet eller slettet.',
  },
  429: { title: 'Vent et øjeblik', help: 'Der kom for mange forespørgsler på én gang. Prøv igen om lidt.' },
  500: {
    title: 'Noget gik galt',
    help: 'Fejlen er vores, ikke din, og det, du allerede har gemt, er i behold. Prøv igen om lidt.',
  },
  503: {
    title: 'Ringbind er ikke klar lige nu',
    help: 'Databasen svarer ikke. Det, du allerede har gemt, er i behold. Siden virker igen, så snart forbindelsen er tilbage.',
  },
}

const OTHER = { title: 'Det kunne ikke lade sig gøre', help: 'Gå tilbage, og prøv igen.' }
const EXPIRED = {
  title: 'Siden er udløbet',
  help: 'Det sker, når en side har været åben længe, eller du har logget ind igen. Gå tilbage, genindlæs siden, og prøv igen.',
}

/** Every answer that is not what was asked for; it needs no database. */
export function ErrorPage({ status, message, requestId, home, isExpired, help: own }: ErrorPageProps) {
  const { title, help } = isExpired ? EXPIRED : (HELP[status] ?? OTHER)
  return (
    <PageFrame>
      <p className="text-meta text-muted">Fejl {status}</p>
      <h1 className="mt-1 text-title font-semibold">{title}</h1>
      {!isExpired && message !== `${title}.` && <p className="mt-3">{message}</p>}
      <p className="mt-3 text-muted">{own ?? help}</p>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <a
          href={status === 503 || status === 429 ? '' : home}
          className="inline-flex min-h-9 items-center rounded-control bg-accent px-4 font-medium text-on-accent hover:bg-accent-strong pointer-coarse:min-h-11"
        >
          {status === 503 || status === 429 ? 'Prøv igen' : 'Til forsiden'}
        </a>
        {status >= 500 && <span className="text-meta text-muted">Fejlnummer {requestId}</span>}
      </div>
    </PageFrame>
  )
}
