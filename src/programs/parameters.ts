import { INBOX_FILTERS } from '../inbox/inbox.ts'
import type { Parameter, Schema } from './openapi.ts'

type InPath = { says: string; schema: Schema }

const id: Schema = { type: 'integer', minimum: 1 }

/** The parameters in addresses, by name. */
const IN_PATHS: Record<string, InPath> = {
  project: { says: 'Projektets id. listProjects giver det.', schema: id },
  folder: { says: 'Mappens id. listProjectFolders giver det.', schema: id },
  file: { says: 'Filens id. Listerne over filer giver det.', schema: id },
  user: { says: 'Personens id. listUsers giver det.', schema: id },
  release: { says: 'Udsendelsens id. listReleases giver det.', schema: id },
  undo: {
    says: 'Det undo, som svaret på ændringen gav.',
    schema: { type: 'string', format: 'uuid' },
  },
  hash: {
    says: 'Filens hash_name: det sidste i adressen, som svaret på createLargeFile giver i Location.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  filter: {
    says: 'Alt, eller det, der er nyt, mit eller færdigt.',
    schema: { type: 'string', enum: [...INBOX_FILTERS] },
  },
}

/** The ids that examples have, by the names in addresses. They are ids of the demo. */
export const EXAMPLE_IDS = {
  project: 1,
  folder: 46,
  file: 70,
  user: 4,
  release: 1,
  undo: '2f1c9d1e-7a55-4c0e-9a52-5f0b6a3f6c11',
  hash: '0123456789abcdef0123456789abcdef',
  filter: 'new',
  /** The folder that files are moved to. */
  otherFolder: 43,
  otherUser: 9,
  /** The folder of the person. */
  userFolder: 14,
  userFile: 1,
}
export type ExampleIds = typeof EXAMPLE_IDS

/** Returns the id of an example: in the address of a person's files, the person's own. */
export function exampleId(ids: ExampleIds, path: string, name: string): string | number {
  const isTheirs = path.startsWith('/api/users/')
  if (isTheirs && name === 'folder') return ids.userFolder
  if (isTheirs && name === 'file') return ids.userFile
  return name in ids ? ids[name as keyof ExampleIds] : name
}

/** `/api/projects/:project/folders` becomes `/api/projects/{project}/folders`, with its parameters. */
export function readPath(url: string, ids: ExampleIds): { path: string; parameters: Parameter[] } {
  const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => {
    const known = IN_PATHS[name]
    if (!known) throw new Error(`The description does not know :${name} in ${url}.`)
    const { says, schema } = known
    const example = exampleId(ids, url, name)
    return { name, in: 'path', required: true, description: says, schema, example }
  })
  return { path: url.replaceAll(/:(\w+)/g, '{$1}'), parameters }
}

type List = { columns?: readonly string[]; filters?: readonly string[] }

/** The query of a list, as `readListQuery` reads it. */
export function listParameters({ columns = [], filters = [] }: List): Parameter[] {
  const inQuery = (name: string, description: string, schema: Schema): Parameter => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  })
  return [
    inQuery('q', 'Ord at søge efter: højst 10 ord og 200 tegn.', { type: 'string', maxLength: 200 }),
    inQuery('page', 'Siden i listen, fra 1.', { type: 'integer', minimum: 1 }),
    ...(columns.length > 0
      ? [
          inQuery('sort[column]', 'Hvad der sorteres efter.', { type: 'string', enum: [...columns] }),
          inQuery('sort[direction]', 'Stigende eller faldende.', { type: 'string', enum: ['asc', 'desc'] }),
        ]
      : []),
    ...(filters.length > 0
      ? [inQuery('filter', 'Kun en del af listen.', { type: 'string', enum: [...filters] })]
      : []),
  ]
}
