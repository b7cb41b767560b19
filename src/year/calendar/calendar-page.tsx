import { ShortDate } from '../../ui/basic/short-date.tsx'
import { CheckField } from '../../ui/form/check-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { ShownOnce } from '../../ui/form/shown-once.tsx'
import { Section } from '../../ui/shell/section.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { CalendarFeed } from './calendar-feed.ts'

type CalendarPageProps = {
  /** Null if the person has no address. */
  feed: CalendarFeed | null
  /** The address that was just made. It is shown this once. */
  newAddress: string | null
}

/** Gives a person the secret address that shows their duties in their own calendar. */
export function CalendarPage({ feed, newAddress }: CalendarPageProps) {
  return (
    <Shell title="Frister i din kalender" crumbs={[{ text: 'Min profil', href: urls.profile }]}>
      <div className="grid max-w-[640px] gap-6">
        <p className="-mt-2 text-muted">
          Med en hemmelig adresse viser din kalender{' '}
          {feed?.shows_all ? 'alt, der står på Årets liste.' : 'de frister, du er ansvarlig for.'}
        </p>
        {newAddress !== null && <NewAddress address={newAddress} />}
        <Section title={feed ? 'Din adresse' : 'Få en adresse'}>
          {feed ? <Feed feed={feed} /> : <NoFeed />}
        </Section>
      </div>
    </Shell>
  )
}

function NewAddress({ address }: { address: string }) {
  return (
    <ShownOnce head="Kopier adressen nu" secret={address} copyText="Kopier adressen">
      Adressen vises kun nu. Vælg ”Abonner på kalender” eller ”Tilføj fra internettet” i din kalender, og sæt
      den ind.
    </ShownOnce>
  )
}

function NoFeed() {
  return (
    <>
      <p className="mb-4 text-muted">Enhver, der kender adressen, kan se fristerne.</p>
      <Form action={urls.ownCalendar} submit="Lav en adresse" loadingText="Laver…" beside={null}>
        <ShowsAll defaultChecked={false} />
      </Form>
    </>
  )
}

function ShowsAll(props: { defaultChecked: boolean }) {
  return <CheckField name="shows_all" label="Hele listen over frister, også andres" {...props} />
}

function Feed({ feed }: { feed: CalendarFeed }) {
  return (
    <>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-muted">Lavet</dt>
        <dd>
          <ShortDate at={feed.created_at} withTime />
        </dd>
        <dt className="text-muted">Sidst hentet</dt>
        <dd>{feed.read_at === null ? 'Ikke endnu' : <ShortDate at={feed.read_at} withTime />}</dd>
      </dl>
      <p className="mb-4 text-muted">
        Har du mistet adressen, eller skal den vise andet, så lav en ny. Den gamle virker så ikke mere.
      </p>
      <Form
        action={urls.ownCalendar}
        submit="Lav en ny adresse"
        loadingText="Laver…"
        kind="secondary"
        beside={null}
      >
        <ShowsAll defaultChecked={feed.shows_all} />
      </Form>
      <div className="mt-6 border-t border-line pt-4">
        <Form
          action={urls.endCalendar}
          submit="Fjern adressen"
          loadingText="Fjerner…"
          doneText="Adressen er fjernet."
          kind="danger"
          beside={null}
        />
      </div>
    </>
  )
}
