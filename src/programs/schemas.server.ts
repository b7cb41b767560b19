import { z } from 'zod'
import type { Schema } from './openapi.ts'

/** Turns the schemas of calls and answers into those of the description, and collects what they share. */
export class Schemas {
  readonly shared: Record<string, Schema> = {}

  /** The input of a call: what a field takes before it is read. */
  input(schema: z.ZodType): Schema {
    return this.#describe(schema, 'input')
  }

  /** An answer. It may get more fields later, so the description allows others. */
  output(schema: z.ZodType): Schema {
    return this.#describe(schema, 'output')
  }

  #describe(schema: z.ZodType, io: 'input' | 'output'): Schema {
    // Inside of something, so that a shared schema is named instead of repeated.
    const made = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: 'any' })
    const { $defs = {}, properties = {} } = z.looseObject({ $defs: Parts, properties: Parts }).parse(made)
    for (const [name, each] of Object.entries($defs)) this.shared[name] ??= tidy(each)
    return tidy(properties.it ?? {})
  }
}

const Parts = z.record(z.string(), z.custom<Schema>(isSchema)).optional()

const SAFE = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** Leaves out what says nothing to a reader, and names shared schemas by their place in the description. */
function tidy(schema: Schema): Schema {
  const { id: _id, shown, $ref, additionalProperties, ...rest } = schema
  if ($ref !== undefined) return { $ref: $ref.replace('#/$defs/', '#/components/schemas/') }
  // A field that also accepts a form's texts is described by its meaning.
  const own: Schema = isSchema(shown)
    ? { ...shown, ...pick(rest, ['description', 'examples', 'default']) }
    : rest
  const entries = Object.entries(own).filter(
    ([name, value]) => !((name === 'minimum' || name === 'maximum') && SAFE.has(value)),
  )
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, tidyValue(name, value)])),
    ...(isSchema(additionalProperties) && { additionalProperties: tidy(additionalProperties) }),
  }
}

function tidyValue(name: string, value: unknown): unknown {
  if (name === 'properties' && isSchema(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, each]) => [field, isSchema(each) ? tidy(each) : each]),
    )
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(name) && Array.isArray(value))
    return value.map((each: unknown) => (isSchema(each) ? tidy(each) : each))
  return name === 'items' && isSchema(value) ? tidy(value) : value
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const pick = (schema: Schema, names: string[]) =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)))
