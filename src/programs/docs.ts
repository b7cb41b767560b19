import { METHODS, type Answer, type OpenApi, type Operation, type Parameter, type Schema } from './openapi.ts'
import { resolved, typeName } from './sample.ts'

/** A field of a call, an answer or a type. `of` is the type that it is made of, if that has a name. */
export type DocField = { name: string; type: string; of: string | null; isRequired: boolean; says: string }

export type DocCall = {
  id: string
  method: string
  path: string
  summary: string
  says: string
  /** The scope that the key needs; null if every key will do. */
  scope: string | null
  parameters: DocField[]
  /** The fields of a form with files, and those of a JSON body. */
  form: DocField[]
  json: DocField[]
  status: string
  answer: DocField[]
  headers: DocField[]
  /** An example of the answer, as JSON. */
  sample: string | null
  curl: string
}

/** The contents of the page about the API, made from the description. */
export type Docs = {
  base: string
  chapters: { name: string; calls: DocCall[] }[]
  types: { name: string; says: string; fields: DocField[] }[]
}

export function docsOf({ servers, tags, paths, components: { schemas } }: OpenApi): Docs {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method]
      return operation ? [{ tag: operation.tags[0], call: callOf(method, path, operation, schemas) }] : []
    }),
  )
  return {
    base: servers[0]?.url ?? '',
    chapters: tags.map(({ name }) => ({
      name,
      calls: calls.filter(({ tag }) => tag === name).map(({ call }) => call),
    })),
    types: Object.entries(schemas)
      .map(([name, schema]) => ({ name, says: schema.description ?? '', fields: fieldsOf(schema, schemas) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }
}

type Shared = Record<string, Schema>

function callOf(method: string, path: string, operation: Operation, shared: Shared): DocCall {
  const content = operation.requestBody?.content ?? {}
  const [status = '200', answer] = Object.entries(operation.responses)[0] ?? []
  const fieldsIn = (type: string) => fieldsOf(content[type]?.schema ?? {}, shared)
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    says: operation.description,
    scope: operation.security[0]?.bearer[0] ?? null,
    parameters: operation.parameters.map(parameterField),
    form: fieldsIn('multipart/form-data'),
    json: fieldsIn('application/json'),
    status,
    ...answerOf(answer && 'description' in answer ? answer : {}, shared),
    curl: operation['x-codeSamples'][0]?.source ?? '',
  }
}

function answerOf(
  { content, headers = {} }: Partial<Answer>,
  shared: Shared,
): Pick<DocCall, 'answer' | 'headers' | 'sample'> {
  const json = content?.['application/json']
  return {
    answer: json ? fieldsOf(json.schema, shared) : [],
    headers: Object.entries(headers).map(([name, { description }]) => ({
      name,
      type: 'tekst',
      of: null,
      isRequired: true,
      says: description,
    })),
    sample: json ? JSON.stringify(json.example, null, 2) : null,
  }
}

const parameterField = ({ name, schema, required, description }: Parameter): DocField => ({
  name,
  ...typeOf(schema),
  isRequired: required,
  says: description,
})

/** Lists the fields of an object, and those of unnamed objects inside of it as 'files[].name'. */
function fieldsOf(named: Schema, shared: Shared, before = ''): DocField[] {
  const { properties, required = [], items } = resolved(named, shared)
  if (items) return fieldsOf(items, shared, `${before}[].`)
  return Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const field = {
      name: before + name,
      ...typeOf(schema),
      isRequired: required.includes(name),
      says: schema.description ?? '',
    }
    const inside = insideOf(schema)
    return [
      field,
      ...(inside ? fieldsOf(inside, shared, `${before}${name}${schema.items ? '[].' : '.'}`) : []),
    ]
  })
}

/** The unnamed object that a field is or has a list of. */
function insideOf(schema: Schema): Schema | null {
  const one = schema.items ?? schema.anyOf?.find(({ type }) => type === 'object') ?? schema
  return one.properties ? one : null
}

const NAMES: Record<string, string> = {
  string: 'tekst',
  integer: 'heltal',
  number: 'tal',
  boolean: 'true eller false',
  object: 'objekt',
  array: 'liste',
  null: 'null',
}

const FORMATS: Record<string, string> = { 'date-time': 'tidspunkt', uuid: 'UUID', binary: 'fil' }

/** At most this many values are named. */
const MOST_VALUES = 8

/** Describes a type in Danish: 'liste af ' and the name of its items. */
function typeOf(schema: Schema): { type: string; of: string | null } {
  if (schema.$ref !== undefined) return { type: '', of: schema.$ref.split('/').at(-1) ?? null }
  if (schema.enum) {
    const more = schema.enum.length > MOST_VALUES ? ' …' : ''
    return { type: schema.enum.slice(0, MOST_VALUES).map(String).join(', ') + more, of: null }
  }
  if (schema.items) {
    const inner = typeOf(schema.items)
    return { type: `liste af ${inner.type}`, of: inner.of }
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return typeOfChoices(choices)
  const type = FORMATS[schema.format ?? ''] ?? NAMES[typeName(schema)] ?? 'hvad som helst'
  return { type, of: null }
}

function typeOfChoices(choices: Schema[]): { type: string; of: string | null } {
  const real = choices.filter(({ type }) => type !== 'null').map(typeOf)
  const type = [...new Set(real.map((each) => each.type))].filter(Boolean).join(' eller ')
  return {
    type: real.length < choices.length ? (type ? `${type} eller null` : 'null eller ') : type,
    of: real.find(({ of }) => of !== null)?.of ?? null,
  }
}
