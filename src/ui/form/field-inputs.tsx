import { MONTH_OPTIONS } from '../../base/time/days.ts'
import { initialOf, namesOf, type Field as Described, type Fields } from '../../base/fields/field.ts'
import { DayField } from './day-field.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.tsx'
import { SelectField } from './select-field.tsx'
import { TextArea } from './text-area.tsx'

type Props = {
  fields: Fields
  /** Null for a new thing. */
  values: Readonly<Record<string, string | number | null>> | null
}

/** The inputs of a thing's form. */
export function FieldInputs({ fields, values }: Props) {
  const { values: sent } = useForm()
  return namesOf(fields).map((name) => {
    const field = fields[name]!
    const value = sent[name] ?? (values ? values[name] : initialOf(field))
    return (
      <FieldInput
        key={name}
        name={name}
        field={field}
        value={value === undefined ? undefined : String(value ?? '')}
      />
    )
  })
}

type InputProps = { name: string; field: Described; value: string | undefined }

function FieldInput({ name, field, value }: InputProps) {
  const { label, help } = field
  switch (field.kind) {
    case 'choice': {
      const options = Object.entries(field.choices).map(([choice, text]) => ({ value: choice, text }))
      return <SelectField name={name} label={label} options={options} defaultValue={value ?? ''} />
    }
    case 'month':
      return <SelectField name={name} label={label} options={MONTH_OPTIONS} defaultValue={value ?? ''} />
    case 'day':
      return <DayField name={name} label={label} day={value || null} />
    case 'lines':
      return (
        <TextArea name={name} label={label} help={help} defaultValue={value ?? ''} maxLength={field.most} />
      )
    default:
      return (
        <Field
          name={name}
          label={label}
          {...(help !== undefined && { help })}
          {...(field.kind === 'cvr' && { inputMode: 'numeric' })}
          autoComplete="off"
          defaultValue={value}
        />
      )
  }
}
