import { useId } from 'react'
import { Faults } from '../../ui/basic/faults.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { EVENTS, HOOK_EVENTS, type HookEvent } from './event.ts'
import type { Hook } from './hook.ts'

type EditHookPageProps = {
  /** Null for a new one. */
  hook: Hook | null
  refused?: RefusedForm
}

export function EditHookPage({ hook, refused }: EditHookPageProps) {
  const back = hook ? urls.hook(hook.id) : urls.programs
  return (
    <Shell
      title={hook ? 'Rediger webhook' : 'Ny webhook'}
      {...(hook && { above: hook.name })}
      crumbs={[
        { text: 'Kontoret', href: urls.office },
        { text: 'Programmer', href: urls.programs },
      ]}
    >
      <div className="max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <Form
          action={hook ? urls.editHook(hook.id) : urls.newHook}
          submit={hook ? 'Gem' : 'Tilføj webhook'}
          loadingText={hook ? 'Gemmer…' : 'Tilføjer…'}
          doneText={hook ? 'Webhooken er gemt.' : 'Webhooken er tilføjet.'}
          refused={refused}
          was={hook ? { name: hook.name, url: hook.url, events: hook.events } : undefined}
          warnsBeforeLeaving
          beside={
            <LinkButton kind="secondary" href={back}>
              Annuller
            </LinkButton>
          }
        >
          <Fields hook={hook} />
        </Form>
      </div>
    </Shell>
  )
}

function Fields({ hook }: { hook: Hook | null }) {
  const { values } = useForm()
  return (
    <>
      <Field
        name="name"
        label="Navn"
        help="Hvilket program er det? For eksempel Regnskabsprogrammet."
        autoComplete="off"
        maxLength={100}
        defaultValue={values.name ?? hook?.name}
      />
      <Field
        name="url"
        label="Adresse"
        help="Programmets egen adresse til webhooks. Den skal begynde med https://."
        type="url"
        autoComplete="off"
        maxLength={1000}
        defaultValue={values.url ?? hook?.url}
      />
      <Events events={hook?.events ?? []} />
      <p className="text-muted">
        Beskederne fortæller også om kladder og om mapper, der ikke deles. Send dem kun til et program, som
        kontoret selv råder over.
      </p>
    </>
  )
}

function Events({ events }: { events: readonly HookEvent[] }) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get('events')
  const wasSent = Object.keys(values).length > 0
  return (
    <fieldset aria-describedby={faults.length > 0 ? `${id}-fault` : undefined} className="grid gap-1">
      <legend className="mb-1 font-medium">Send besked om</legend>
      <ul>
        {HOOK_EVENTS.map((event, index) => (
          <li key={event} className="flex items-start gap-2 py-1">
            <input
              id={`${id}-${index}`}
              type="checkbox"
              name={`events[${index}]`}
              value={event}
              data-faults="events"
              defaultChecked={wasSent ? `events[${index}]` in values : events.includes(event)}
              aria-invalid={faults.length > 0 || undefined}
              aria-describedby={EVENTS[event].says === '' ? undefined : `${id}-${index}-says`}
              onChange={() => clear('events')}
              className="mt-0.5"
            />
            <span className="flex min-w-0 flex-wrap gap-x-2">
              <label htmlFor={`${id}-${index}`}>{EVENTS[event].text}</label>
              <span id={`${id}-${index}-says`} className="text-muted">
                {EVENTS[event].says}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}
