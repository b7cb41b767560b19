import { Fragment, type ReactNode } from 'react'
import { MONTH_OPTIONS } from '../../base/time/days.ts'
import {
  initialOf,
  namesOf,
  type Field as Described,
  type Fields,
  type Value,
} from '../../base/fields/field.ts'
import { DayField } from './day-field.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.tsx'
import { SelectField } from './select-field.tsx'
import { TextArea } from './text-area.tsx'
import { TextsField } from './texts-field.tsx'

type Props<All extends Fields> = {
  fields: All
  /** Null for a new thing. */
  values: { readonly [Name in keyof All]: Value } | null
  /** What follows a field. */
  after?: { readonly [Name in keyof All]?: ReactNode }
}

/** The inputs of a thing's form. */
export function FieldInputs<All extends Fields>({ fields, values, after }: Props<All>) {
  const { values: sent } = useForm()
  return namesOf(fields).map((name) => {
    const field = fields[name]!
    const value = sent[name] ?? (values ? values[name] : initialOf(field))
    return (
      <Fragment key={name}>
        <FieldInput name={name} field={field} value={value} />
        {after?.[name]}
      </Fragment>
    )
  })
}

type InputProps = { name: string; field: Described; value: Value | undefined }

function FieldInput({ name, field, value }: InputProps) {
  const { label, help = '' } = field
  const shown = String(value ?? '')
  switch (field.kind) {
    case 'choice': {
      const options = Object.entries(field.choices).map(([choice, text]) => ({ value: choice, text }))
      return <SelectField name={name} label={label} options={options} defaultValue={shown} />
    }
    case 'month':
      return <SelectField name={name} label={label} options={MONTH_OPTIONS} defaultValue={shown} />
    case 'day':
      return <DayField name={name} label={label} day={shown || null} />
    case 'lines':
      return <TextArea name={name} label={label} help={help} defaultValue={shown} maxLength={field.most} />
    case 'texts': {
      const texts = Array.isArray(value) ? value : []
      return <TextsField name={name} label={label} help={help} texts={texts} splits />
    }
    default:
      return (
        <Field
          name={name}
          label={label}
          help={help}
          inputMode={field.kind === 'cvr' ? 'numeric' : undefined}
          type={field.kind === 'email' ? 'email' : undefined}
          autoComplete="off"
          defaultValue={value === undefined ? undefined : shown}
        />
      )
  }
}
