import { periodKeyText } from '../../base/time/period.ts'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { EXPECTS_NAMES, MOST_DUE_MONTHS, NOTHING_EXPECTED, type Expects } from './expects.ts'

const OPTIONS = Object.entries(EXPECTS_NAMES).map(([value, text]) => ({ value, text }))

/** The expectations of a folder. The other fields are shown when something is expected, also without JavaScript. */
export function ExpectsFields({ folder }: { folder: Expects | null }) {
  const { values } = useForm()
  const { expects, expects_from: from, expects_to: to, due_months: dueMonths } = folder ?? NOTHING_EXPECTED
  return (
    <div className="grid gap-4 [&:has(option[value=none]:checked)>[data-more]]:hidden">
      <SelectField name="expects" label="Forventes" options={OPTIONS} defaultValue={expects} />
      <div data-more className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          name="expects_from"
          label="Fra og med"
          help="For eksempel 2024 eller Q1 2024. Tomt: fra projektet blev overtaget."
          autoComplete="off"
          defaultValue={values.expects_from ?? periodKeyText(from)}
        />
        <Field
          name="expects_to"
          label="Til og med"
          help="Tomt: indtil videre."
          autoComplete="off"
          defaultValue={values.expects_to ?? periodKeyText(to)}
        />
        <Field
          name="due_months"
          label="Senest, måneder efter periodens udløb"
          help="Derefter vises filen som forsinket."
          type="number"
          inputMode="numeric"
          min={0}
          max={MOST_DUE_MONTHS}
          defaultValue={values.due_months ?? dueMonths}
        />
      </div>
    </div>
  )
}
