import { useId } from 'react'
import { STATUS_NAMES, STATUSES, type Project } from '../../projects/project/project.ts'
import { Faults } from '../../ui/basic/faults.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { PickManyField } from '../../ui/form/pick-many-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { urls } from '../../urls.ts'
import { FormPart } from './obligation-fields.tsx'
import type { ObligationFields } from './obligation.ts'
import type { Undecided } from './obligations.db.ts'

type Props = {
  obligation: ObligationFields
  bound: Project[]
  freed: Project[]
  undecided: Undecided[]
  /** The other obligations. */
  others: { id: number; title: string }[]
}

/** The fields that say which projects an obligation binds. */
export function BoundFields({ obligation, bound, freed, undecided, others }: Props) {
  const { values } = useForm()
  return (
    <FormPart title="Projekter">
      <SelectField
        name="reach"
        label="Gælder for"
        defaultValue={obligation.reach}
        options={[
          { value: 'fitting', text: 'Alle projekter, der passer' },
          { value: 'chosen', text: 'Kun projekter, der er valgt' },
        ]}
      />
      <div className="hidden gap-4 group-has-[option[value=fitting]:checked]:grid">
        <Statuses statuses={obligation.statuses} />
        {others.length > 0 && (
          <SelectField
            name="unless_id"
            label="Undtagen projekter med en anden pligt"
            defaultValue={String(obligation.unless_id ?? '')}
            options={[
              { value: '', text: 'Ingen anden pligt' },
              ...others.map(({ id, title }) => ({ value: String(id), text: title })),
            ]}
          />
        )}
      </div>
      <Field
        name="more_than"
        label="Flere investorlogin end (kan udelades)"
        help="Ringbind tæller projektets aktive investorlogin, ikke dets ejere. Gælder pligten kun valgte projekter, er tallet et fingerpeg."
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        defaultValue={values.more_than ?? obligation.more_than ?? undefined}
      />
      {undecided.length > 0 && (
        <p className="rounded-control bg-warn-soft px-3 py-2 text-warn wrap-anywhere">
          Afgør for hvert af disse projekter, om pligten gælder:{' '}
          {undecided
            .map(({ number, name, investors }) => `${number} ${name} (${investors} investorlogin)`)
            .join(', ')}
          .
        </p>
      )}
      <Projects
        legend="Gælder ikke for"
        help="Også når projektet ellers passer."
        none="Ingen undtagelser."
        label="Undtag et projekt"
        rows={freed}
        name="freed"
      />
      <Projects
        legend="Gælder altid for"
        help="Uanset status og antal investorlogin."
        none="Ingen valgt."
        label="Vælg et projekt"
        rows={bound}
        name="bound"
      />
    </FormPart>
  )
}

type ProjectsProps = {
  legend: string
  help: string
  none: string
  label: string
  rows: Project[]
  name: 'bound' | 'freed'
}

function Projects({ name, ...more }: ProjectsProps) {
  return (
    <PickManyField<Project>
      {...more}
      placeholder="Nummer eller navn"
      foundLabel="Fundne projekter"
      failed="Projekterne kunne ikke hentes. Skriv et projektnummer, og gem."
      route={urls.listProjects}
      names={{ add: `add_${name}`, remove: `remove_${name}`, text: `add_${name}_project` }}
      titleOf={({ number, name: title }) => `${number} ${title}`}
      hintOf={() => ''}
      whyNot={() => null}
      isThere="er valgt"
      isExactly={({ number }, text) => number === text}
    />
  )
}

function Statuses({ statuses }: { statuses: readonly string[] }) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get('statuses')
  const wasSent = Object.keys(values).length > 0
  return (
    <fieldset aria-describedby={faults.length > 0 ? `${id}-fault` : undefined} className="grid gap-1">
      <legend className="mb-1 font-medium">Status</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {STATUSES.map((status, index) => (
          <span key={status} className="flex items-center gap-2 py-1">
            <input
              id={`${id}-${status}`}
              type="checkbox"
              name={`statuses[${index}]`}
              value={status}
              data-faults="statuses"
              defaultChecked={wasSent ? `statuses[${index}]` in values : statuses.includes(status)}
              aria-invalid={faults.length > 0 || undefined}
              onChange={() => clear('statuses')}
            />
            <label htmlFor={`${id}-${status}`}>{STATUS_NAMES[status]}</label>
          </span>
        ))}
      </div>
      <p className="text-meta text-muted">
        Et solgt projekt skylder stadig de perioder, der begyndte før salget.
      </p>
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}
