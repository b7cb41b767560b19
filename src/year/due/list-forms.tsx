import { formatCount } from '../../base/danish/counts.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { urls } from '../../urls.ts'
import { isOfOnePerson, writeDutyQuery, type DutyQuery } from '../obligations/duty.ts'

/** Says that something has happened, such as a change of owners, which gives a deadline. */
export function EventForm({ events }: { events: { id: number; title: string }[] }) {
  if (events.length === 0) return null
  return (
    <details className="rounded-card border border-line bg-surface p-4 print:hidden">
      <summary className="cursor-pointer font-medium">Meld en hændelse</summary>
      <Form
        action={urls.dutyEvents}
        submit="Meld hændelsen"
        doneText="Hændelsen er meldt og har fået en frist."
        kind="secondary"
        beside={null}
        className="mt-4 grid max-w-[640px] gap-4"
      >
        <SelectField
          name="obligation"
          label="Hvad skal gøres?"
          defaultValue={String(events[0]!.id)}
          options={events.map(({ id, title }) => ({ value: String(id), text: title }))}
        />
        <Field name="number" label="Projektnummer" autoComplete="off" maxLength={50} />
        <Field name="on" label="Hvornår skete det?" help="dd/mm/åååå" autoComplete="off" maxLength={40} />
      </Form>
    </details>
  )
}

type GiveProps = {
  query: DutyQuery
  /** How many open duties the filters find. */
  total: number
  people: { id: number; name: string }[]
}

/** Makes somebody responsible for all that the filters find. */
export function GiveAllForm({ query, total, people }: GiveProps) {
  const { user } = useFrame()
  return (
    <details className="rounded-card border border-line bg-surface p-4 print:hidden">
      <summary className="cursor-pointer font-medium">
        Skift ansvarlig for {total === 1 ? 'én pligt' : `alle ${formatCount(total)} pligter`}
      </summary>
      <Form
        action={urls.dutiesResponsible}
        submit="Skift ansvarlig"
        doneText="Pligterne har skiftet ansvarlig."
        kind="secondary"
        beside={null}
        className="mt-4 grid max-w-[640px] gap-4"
      >
        <input type="hidden" name="filters" value={writeDutyQuery(query)} />
        <input type="hidden" name="count" value={total} />
        <SelectField
          name="responsible_id"
          label="Ny ansvarlig"
          defaultValue={String(user!.id)}
          options={[
            ...people.map(({ id, name }) => ({ value: String(id), text: name })),
            { value: '', text: 'Ingen ansvarlig' },
          ]}
        />
        {isOfOnePerson(query) && may(user!.role, 'editObligations') && (
          <p className="text-muted">Det gælder også de frister, der kommer.</p>
        )}
      </Form>
    </details>
  )
}
