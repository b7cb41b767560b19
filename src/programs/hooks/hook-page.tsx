import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import type { Page } from '../../base/pagination.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { ShownOnce } from '../../ui/form/shown-once.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { Section } from '../../ui/shell/section.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { eventName } from './event.ts'
import { isDelivered, outcomeText, type Delivery, type Hook, type Outcome } from './hook.ts'
import { HookState } from './hook-state.tsx'

type HookPageProps = {
  hook: Hook
  deliveries: Page<Delivery>
  /** The secret that was just made. It is shown this once. */
  secret: string | null
  /** The answer to a test that was sent without JavaScript. */
  trial?: Outcome
}

/** Shows one hook: whether it works, its messages and their outcomes. */
export function HookPage({ hook, deliveries, secret, trial }: HookPageProps) {
  // Is shown until the page is left, also when the list is fetched again.
  const [shownSecret] = useState(secret)
  const hrefOf = (page: number) => `${urls.hook(hook.id)}?page=${page}`
  return (
    <Shell
      title={hook.name}
      crumbs={[
        { text: 'Kontoret', href: urls.office },
        { text: 'Programmer', href: urls.programs },
      ]}
      actions={
        <LinkButton kind="secondary" href={urls.editHook(hook.id)}>
          Rediger
        </LinkButton>
      }
    >
      <div className="grid max-w-[800px] gap-6">
        {shownSecret !== null && <NewSecret secret={shownSecret} />}
        <Section title="Modtager">
          <Facts hook={hook} />
          <Test hook={hook} first={trial} />
        </Section>
        <Section title="Beskeder">
          <p className="mb-4 text-muted">
            De seneste 30 dage. Ringbind prøver igen i et døgn. Svarer modtageren slet ikke, bliver webhooken
            slået fra.
          </p>
          {deliveries.data.length === 0 ? (
            <p>Der er ikke sendt noget endnu.</p>
          ) : (
            <ul className="-mx-4 -mb-2 divide-y divide-line border-t border-line sm:-mx-6">
              {deliveries.data.map((each) => (
                <DeliveryRow key={each.id} hook={hook} delivery={each} />
              ))}
            </ul>
          )}
          <div className="mt-4 empty:hidden">
            <Pager info={deliveries.meta} hrefOf={hrefOf} onTurn={(page) => location.assign(hrefOf(page))} />
          </div>
        </Section>
        <NewKey id={hook.id} />
        <Remove id={hook.id} />
      </div>
    </Shell>
  )
}

const WHY_STOPPED = {
  failed: 'Modtageren tog ikke imod i et døgn.',
  gone: 'Modtageren vil ikke have flere beskeder.',
}

function Facts({ hook }: { hook: Hook }) {
  const { id, url, events, is_on: isOn, stopped_because: because, failing_since: failing, waiting } = hook
  return (
    <>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr] sm:gap-y-2">
        <dt className="text-muted">Adresse</dt>
        <dd className="mb-2 wrap-anywhere sm:mb-0">{url}</dd>
        <dt className="text-muted">Besked om</dt>
        <dd className="mb-2 sm:mb-0">{events.map(eventName).join(', ')}</dd>
        <dt className="text-muted">Tilstand</dt>
        <dd className="grid justify-items-start gap-1">
          <HookState hook={hook} />
          {failing !== null && (
            <span>
              Modtageren har ikke taget imod siden <ShortDate at={failing} withTime="spoken" />.
            </span>
          )}
          {because !== null && <span>{WHY_STOPPED[because]}</span>}
          {!isOn && <span className="text-muted">Det, der sker imens, bliver ikke sendt senere.</span>}
          {waiting > 0 && (
            <span className="tabular-nums">
              {waiting === 1 ? 'Én hændelse venter' : `${formatCount(waiting)} hændelser venter`}
              {isOn ? ' på at blive sendt.' : ' og sendes, når webhooken bliver slået til.'}
            </span>
          )}
        </dd>
      </dl>
      <div className="mt-4 flex flex-wrap justify-end gap-3">
        {because !== null && (
          <Form
            action={urls.hookAct(id, 'off')}
            submit="Lad den være slået fra"
            loadingText="Gemmer…"
            doneText="Webhooken forbliver slået fra."
            kind="secondary"
            beside={null}
          />
        )}
        <Form
          action={urls.hookAct(id, isOn ? 'off' : 'on')}
          submit={isOn ? 'Slå fra' : 'Slå til'}
          loadingText={isOn ? 'Slår fra…' : 'Slår til…'}
          doneText={isOn ? 'Webhooken er slået fra.' : 'Webhooken er slået til.'}
          kind={isOn ? 'secondary' : 'primary'}
          beside={null}
        />
      </div>
    </>
  )
}

function Test({ hook, first }: { hook: Hook; first: Outcome | undefined }) {
  const [trial, setTrial] = useState(first ?? null)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <output className="block">{trial && <Trial trial={trial} />}</output>
      <Form
        action={urls.hookAct(hook.id, 'test')}
        submit="Send en prøve"
        loadingText="Sender…"
        flash="Prøvet"
        kind="secondary"
        beside={<p className="mr-auto self-center text-muted">Prøven indeholder ingen oplysninger.</p>}
        onDone={(answer) => {
          setTrial((answer as { trial: Outcome }).trial)
          void refreshPage({ newest: (fetchIt) => fetchIt() })
        }}
      />
    </div>
  )
}

function Trial({ trial }: { trial: Outcome }) {
  const isGood = isDelivered(trial)
  const Icon = isGood ? CircleCheck : TriangleAlert
  return (
    <span
      className={`mb-4 flex gap-2 rounded-control px-3 py-2 ${isGood ? 'bg-ok-soft text-ok' : 'bg-danger-soft text-danger'}`}
    >
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {outcomeText(trial)} {trial.status !== null && `Det tog ${formatCount(trial.tookMs)} ms.`}
        {trial.answer !== '' && <span className="mt-1 block whitespace-pre-wrap">”{trial.answer}”</span>}
      </span>
    </span>
  )
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <ShownOnce head="Kopier den hemmelige nøgle nu" secret={secret} copyText="Kopier nøglen">
      Nøglen vises kun nu. Med den kender modtageren Ringbinds beskeder.
    </ShownOnce>
  )
}

function NewKey({ id }: { id: number }) {
  return (
    <Folded title="Ny hemmelig nøgle">
      <p className="my-4 text-muted">Den gamle virker i et døgn endnu.</p>
      <Form
        action={urls.hookAct(id, 'secret')}
        submit="Lav en ny nøgle"
        loadingText="Laver…"
        kind="secondary"
        beside={null}
      />
    </Folded>
  )
}

function Remove({ id }: { id: number }) {
  return (
    <Folded title="Slet webhooken">
      <p className="my-4 text-muted">
        Listen over beskeder slettes også. Vil du kun holde pause, så slå webhooken fra.
      </p>
      <Form
        action={urls.hookAct(id, 'remove')}
        submit="Slet webhooken"
        loadingText="Sletter…"
        doneText="Webhooken er slettet."
        kind="danger"
        beside={null}
      />
    </Folded>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <summary className="cursor-pointer font-medium">{title}</summary>
      {children}
    </details>
  )
}
