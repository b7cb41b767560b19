import { z } from 'zod'
import {
  initialOf,
  namesOf,
  type Field,
  type Fields,
  type SentValues,
  type ValuesOf,
} from '../base/fields/field.ts'
import {
  email,
  line,
  lines,
  list,
  monthNumber,
  optionalCvr,
  optionalDay,
  optionalLine,
  optionalLines,
} from './http/validate.ts'

type Schemas<All extends Fields> = { [Name in keyof All]: z.ZodType<ValuesOf<All>[Name]> }
type Optional<All extends Fields> = { [Name in keyof All]: z.ZodType<ValuesOf<All>[Name] | undefined> }
type Sent<All extends Fields> = { [Name in keyof All]: z.ZodType<SentValues<All>[Name]> }

/** Makes a schema for every field. */
function schemasOf<Made>(fields: Fields, make: (field: Field, name: string) => z.ZodType): Made {
  return Object.fromEntries(namesOf(fields).map((name) => [name, make(fields[name]!, name)])) as Made
}

/** Schemas of the fields of a form. */
export const formSchemas = <All extends Fields>(fields: All) => schemasOf<Schemas<All>>(fields, formSchema)

function formSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'line':
      return field.isOptional
        ? optionalLine(`${field.called} skal være en tekst.`, field.most).transform((text) => text || null)
        : line(field.called, field.most)
    case 'lines':
      return field.isOptional
        ? optionalLines(field.called, field.most)
            .removeDefault()
            .transform((text) => text || null)
        : lines(field.called, field.most)
    case 'texts':
      return list(line(field.called, field.most), field.mostTexts)
    case 'email':
      return email
    case 'cvr':
      return optionalCvr
    case 'choice':
      return z.enum(Object.keys(field.choices), { error: field.fault })
    case 'month':
      return monthNumber
    default:
      return optionalDay
  }
}

/** The same for a new thing: omitted fields get their initial values. */
export const newSchemas = <All extends Fields>(fields: All, schemas: Schemas<All>) =>
  schemasOf<Schemas<All>>(fields, (field, name) => {
    const initial = initialOf(field)
    return initial === undefined ? schemas[name]! : schemas[name]!.default(initial as never)
  })

/** The same for an existing thing: omitted fields are unchanged, except required ones. */
export const editSchemas = <All extends Fields>(fields: All, schemas: Schemas<All>) =>
  schemasOf<Sent<All>>(fields, (field, name) =>
    initialOf(field) === undefined ? schemas[name]! : schemas[name]!.optional(),
  )

/** Schemas of the fields in an answer of the API. */
export const answerSchemas = <All extends Fields>(fields: All) =>
  schemasOf<Schemas<All>>(fields, (field) => {
    const { description, example } = field
    const examples = [field.kind === 'texts' ? [example] : example]
    return valueSchema(field).meta(example === undefined ? {} : { description, examples })
  })

/** Schemas of the fields in an act that waits for a colleague. */
export const storedSchemas = <All extends Fields>(fields: All) =>
  schemasOf<Optional<All>>(fields, (field) => valueSchema(field).optional())

function valueSchema(field: Field): z.ZodType {
  if (field.kind === 'choice') return z.enum(Object.keys(field.choices))
  if (field.kind === 'month') return z.number()
  if (field.kind === 'texts') return z.array(z.string())
  return initialOf(field) === null ? z.string().nullable() : z.string()
}
