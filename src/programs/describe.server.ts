import { listed } from '../base/danish/listed.ts'
import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../base/error-codes.ts'
import { rights, ROLE_NAMES, ROLES, type Right } from '../rights.ts'
import { CHAPTERS, type ProgramCall, type ProgramHeader } from '../server/http/program-call.ts'
import { curlOf } from './curl.ts'
import { METHODS, type Answer, type Method, type OpenApi, type Operation, type Parameter } from './openapi.ts'
import { EXAMPLE_IDS, exampleId, listParameters, readPath, type ExampleIds } from './parameters.ts'
import { resolved, sampleOf } from './sample.ts'
import { Schemas } from './schemas.server.ts'

/** A route that programs may call. */
export type CalledRoute = { method: string; url: string; right: Right; call: ProgramCall }

/** Every error answer to a program. Some have more fields, such as `contradictions`. */
export const ErrorAnswer = z
  .looseObject({
    message: z
      .string()
      .meta({ description: 'På dansk, til mennesker.', examples: ['Navnet skal udfyldes.'] }),
    code: z
      .enum(Object.keys(ERROR_CODES) as ErrorCode[])
      .meta({ description: 'Til programmer: ændrer sig ikke.', examples: ['invalid'] }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'Fejlene ved hvert felt.', examples: [{ name: ['Navnet skal udfyldes.'] }] }),
  })
  .meta({ id: 'Error', description: 'En fejl.' })

const JSON_TYPE = 'application/json'

/** Describes the API by the routes themselves. */
export function describeApi(routes: CalledRoute[], appUrl: string, ids: ExampleIds = EXAMPLE_IDS): OpenApi {
  const schemas = new Schemas()
  const paths: OpenApi['paths'] = {}
  for (const route of inOrder(routes)) {
    const { path, parameters } = readPath(route.url, ids)
    const method = METHODS.find((each) => each === route.method.toLowerCase())
    if (!method) throw new Error(`The description does not know ${route.method} ${route.url}.`)
    paths[path] = {
      ...paths[path],
      [method]: operationOf(route, method, path, parameters, schemas, appUrl, ids),
    }
  }
  const error = schemas.output(ErrorAnswer)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ringbind',
      version: '1.0.0',
      summary: 'Ringbinds API til andre programmer',
      description: `Adgangen er en API-nøgle, som en person laver under Min profil. Et program ser og må det samme som personen, inden for nøglens områder. Læs mere på ${appUrl}/api/docs.`,
    },
    servers: [{ url: appUrl }],
    tags: Object.values(CHAPTERS).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.shared,
      responses: {
        Error: {
          description: 'Noget er forkert. `code` siger hvad.',
          content: { [JSON_TYPE]: { schema: error, example: sampleOf(error, schemas.shared) } },
        },
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'En API-nøgle: rb_…' } },
    },
  }
}

function inOrder(routes: CalledRoute[]): CalledRoute[] {
  const chapters = Object.keys(CHAPTERS)
  const place = ({ call }: CalledRoute) => chapters.indexOf(call.chapter)
  return routes.toSorted((a, b) => place(a) - place(b))
}

function operationOf(
  { right, call }: CalledRoute,
  method: Method,
  path: string,
  inPath: Parameter[],
  schemas: Schemas,
  appUrl: string,
  ids: ExampleIds,
): Operation {
  const parameters = [
    ...inPath,
    ...(call.list ? listParameters(call.list) : []),
    ...(call.query ? queryParameters(call.query, schemas) : []),
    ...Object.entries(call.headers ?? {}).map(([name, header]) => headerParameter(name, header)),
  ]
  const content = contentOf(call, schemas, (name) => exampleId(ids, path, name))
  return {
    operationId: call.id,
    tags: [CHAPTERS[call.chapter]],
    summary: call.summary,
    description: [call.says, `For ${rolesWith(right)}.`].filter(Boolean).join(' '),
    security: [{ bearer: call.scope === 'any' ? [] : [call.scope] }],
    parameters,
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      [String(call.status ?? 200)]: answerOf(call, schemas),
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
    'x-codeSamples': [{ lang: 'Shell', source: exampleOf(call, method, appUrl + path, parameters, content) }],
  }
}

function rolesWith(right: Right): string {
  const having: 'anybody' | readonly string[] = rights[right]
  const roles = ROLES.filter((role) => having === 'anybody' || having.includes(role))
  if (roles.length === ROLES.length) return 'alle'
  return listed(roles.map((role) => ROLE_NAMES[role].toLowerCase()))
}

function queryParameters(query: z.ZodObject, schemas: Schemas): Parameter[] {
  const { properties = {}, required = [] } = schemas.input(query)
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }))
}

const headerParameter = (name: string, { says, isRequired = false, example }: ProgramHeader): Parameter => ({
  name,
  in: 'header',
  required: isRequired,
  description: says,
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
})

type Content = NonNullable<Operation['requestBody']>['content']

function contentOf(
  { body, files, fileField = 'file', example }: ProgramCall,
  schemas: Schemas,
  idOf: (name: string) => string | number,
): Content | null {
  const json = body && schemas.input(body)
  const content: Content = {}
  if (files === 'bytes')
    content['application/offset+octet-stream'] = { schema: { type: 'string', format: 'binary' } }
  else if (files) {
    const form = resolved(schemas.input(files), schemas.shared)
    const binary = {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: 'En fil eller flere.',
    }
    content['multipart/form-data'] = {
      schema: {
        ...form,
        properties: { [fileField]: binary, ...form.properties },
        required: [fileField, ...(form.required ?? [])],
      },
    }
  }
  if (json)
    content[JSON_TYPE] = {
      schema: json,
      example: filled(example?.body ?? sampleOf(json, schemas.shared), idOf),
    }
  return Object.keys(content).length > 0 ? content : null
}

/** Puts ids into an example: `{ files: ['{file}'] }` becomes `{ files: [70] }`. */
function filled(example: unknown, idOf: (name: string) => string | number): unknown {
  if (Array.isArray(example)) return example.map((each) => filled(each, idOf))
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(Object.entries(example).map(([name, each]) => [name, filled(each, idOf)]))
  const name = typeof example === 'string' ? /^\{(\w+)\}$/.exec(example)?.[1] : undefined
  return name === undefined ? example : idOf(name)
}

function addressOf(address: string, parameters: Parameter[]): string {
  const values = new Map(parameters.map(({ name, example }) => [name, String(example)]))
  return address.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values.get(name) ?? name)
}

function answerOf({ answer, answerHeaders, status }: ProgramCall, schemas: Schemas): Answer {
  const headers = Object.entries(answerHeaders ?? {}).map(([name, { says }]) => [
    name,
    { description: says, schema: { type: 'string' } },
  ])
  const more =
    headers.length > 0 ? { headers: Object.fromEntries(headers) as NonNullable<Answer['headers']> } : {}
  if (answer === 'nothing') return { description: status === 201 ? 'Lavet.' : 'Gjort.', ...more }
  if (answer === 'bytes')
    return {
      description: 'Filens indhold.',
      ...more,
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }
  const schema = schemas.output(answer)
  return {
    description: status === 201 ? 'Gemt.' : 'Svaret.',
    ...more,
    content: { [JSON_TYPE]: { schema, example: sampleOf(schema, schemas.shared) } },
  }
}

function exampleOf(
  { example, files, fileField, answer }: ProgramCall,
  method: Method,
  address: string,
  parameters: Parameter[],
  content: Content | null,
): string {
  const query = new URLSearchParams(example?.query).toString()
  const headers = parameters.flatMap(({ in: place, name, example: value }) =>
    place === 'header' && typeof value === 'string' ? [[name, value] as const] : [],
  )
  const isForm = files !== undefined && files !== 'bytes'
  return curlOf({
    method: method.toUpperCase(),
    address: addressOf(address, parameters) + (query && `?${query}`),
    headers: Object.fromEntries([
      ...headers,
      ...(files === 'bytes' ? [['Content-Type', 'application/offset+octet-stream']] : []),
    ]),
    fileField: fileField ?? 'file',
    fields: isForm ? (example?.fields ?? {}) : null,
    body: isForm ? undefined : content?.[JSON_TYPE]?.example,
    isBytes: files === 'bytes',
    isFile: answer === 'bytes',
  })
}
