import type { Schema } from './openapi.ts'

type Shared = Record<string, Schema>

/** Returns the schema that a reference means: '#/components/schemas/File'. */
export function resolved(schema: Schema, shared: Shared): Schema {
  return schema.$ref === undefined ? schema : (shared[schema.$ref.split('/').at(-1) ?? ''] ?? {})
}

/** Makes an example of what a schema describes: from its examples, or the least that it allows. */
export function sampleOf(named: Schema, shared: Shared): unknown {
  const schema = resolved(named, shared)
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  const one = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (one) return sampleOf(one, shared)
  return SAMPLES[typeName(schema)]?.(schema, shared) ?? null
}

/** The first type that a schema allows; empty if it allows any. */
export const typeName = ({ type = '' }: Schema) => [type].flat()[0] ?? ''

const SAMPLES: Record<string, (schema: Schema, shared: Shared) => unknown> = {
  object: ({ properties = {} }, shared) =>
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sampleOf(each, shared)])),
  array: ({ items }, shared) => (items ? [sampleOf(items, shared)] : []),
  string: textOf,
  integer: () => 1,
  number: () => 1,
  boolean: () => false,
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-03-31T08:15:00.000Z',
  date: '2026-03-31',
  uuid: '2f1c9d1e-7a55-4c0e-9a52-5f0b6a3f6c11',
}

function textOf({ format = '', pattern = '' }: Schema): string {
  // A hash in hex, of 32 or 64 letters.
  const length = /^\^\[0-9a-f\]\{(\d+)\}\$$/.exec(pattern)?.[1]
  if (length !== undefined) return '0123456789abcdef'.repeat(4).slice(0, Number(length))
  return FORMATS[format] ?? '…'
}
