import { MONTH_OPTIONS } from '../../base/time/days.ts'
import { RHYTHMS } from '../../base/time/period.ts'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { FormPart, ObligationDateField } from './obligation-fields.tsx'
import { MOST_MONTHS, RHYTHM_NAMES, type ObligationRule } from './obligation.ts'

/** '03-01' becomes '1/3'. */
const writeDayOfYear = (day: string) => `${Number(day.slice(3))}/${Number(day.slice(0, 2))}`

/** The fields that say when it must be done. Those of another rule are hidden, and the server leaves them alone. */
export function DueFields({ obligation }: { obligation: ObligationRule }) {
  const { values } = useForm()
  return (
    <FormPart title="Frist">
      <SelectField
        name="due_rule"
        label="Senest"
        defaultValue={obligation.due_rule}
        options={[
          { value: 'months', text: 'Et antal måneder efter periodens slutning' },
          { value: 'day', text: 'En fast dag i kalenderåret efter' },
          { value: 'days', text: 'Faste dage for kalenderårets perioder' },
          { value: 'date', text: 'Én bestemt dato' },
          { value: 'event', text: 'Et antal dage efter en hændelse' },
        ]}
      />
      <div className="hidden gap-4 group-has-[option[value=days]:checked]:grid group-has-[option[value=months]:checked]:grid sm:grid-cols-2">
        <SelectField
          name="rhythm"
          label="Hvor ofte"
          defaultValue={obligation.rhythm}
          options={RHYTHMS.map((rhythm) => ({ value: rhythm, text: RHYTHM_NAMES[rhythm] }))}
        />
      </div>
      <div className="hidden gap-4 group-has-[option[value=months]:checked]:grid sm:grid-cols-2">
        <Field
          name="due_months"
          label="Måneder"
          help={`Fra 0 til ${MOST_MONTHS}.`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          defaultValue={values.due_months ?? obligation.due_months}
        />
      </div>
      <div className="hidden group-has-[option[value=days]:checked]:grid">
        <Field
          name="due_days"
          label="Dage"
          help="For kvartaler: 1/3, 1/6, 1/9, 1/12. Hver dag gælder den periode, der er slut før den."
          autoComplete="off"
          maxLength={100}
          defaultValue={values.due_days ?? obligation.due_days.map(writeDayOfYear).join(', ')}
        />
      </div>
      <div className="hidden group-has-[option[value=event]:checked]:grid">
        <Field
          name="after_days"
          label="Dage efter hændelsen"
          help="Kontoret melder hændelsen på Årets liste."
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          defaultValue={values.after_days ?? obligation.after_days}
        />
      </div>
      <div className="hidden gap-4 group-has-[option[value=day]:checked]:grid sm:grid-cols-2">
        <Field
          name="due_day"
          label="Dag"
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          defaultValue={values.due_day ?? obligation.due_day}
        />
        <SelectField
          name="due_month"
          label="Måned"
          defaultValue={String(obligation.due_month)}
          options={MONTH_OPTIONS}
        />
      </div>
      <div className="hidden group-has-[option[value=date]:checked]:grid">
        <ObligationDateField name="due_on" label="Dato" choose="Vælg datoen" value={obligation.due_on} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <ObligationDateField
          name="holds_since"
          label="Gælder siden (kan udelades)"
          choose="Vælg, siden hvornår den gælder"
          value={obligation.holds_since}
        />
        <ObligationDateField
          name="holds_until"
          label="Gælder til og med (kan udelades)"
          choose="Vælg, til hvornår den gælder"
          value={obligation.holds_until}
        />
      </div>
      <p className="-mt-2 text-meta text-muted">Gælder for perioder, der slutter mellem de to datoer.</p>
    </FormPart>
  )
}
