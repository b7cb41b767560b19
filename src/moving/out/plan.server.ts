import { open } from 'node:fs/promises'
import { z } from 'zod'
import { safeName } from '../../files/zip/archive-names.ts'

const isSafe = (path: string) =>
  path.split('/').every((name) => name === safeName(name) && name !== '.' && name !== '..')
const pathSchema = z.string().refine(isSafe)

const plannedSchema = z.object({
  path: pathSchema,
  fileId: z.number(),
  blobId: z.number(),
  key: z.string().regex(/^[0-9a-f]{32}$/),
  size: z.number().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The file's date, in milliseconds. */
  at: z.number(),
})
const lineSchema = z.union([plannedSchema, z.object({ directory: pathSchema })])

/** Where a file's bytes go, and where they come from. */
export type PlannedFile = z.infer<typeof plannedSchema>
/** A line of the plan: a file, or a directory, which may stay empty. */
type Planned = z.infer<typeof lineSchema>

export const planLine = (planned: Planned) => `${JSON.stringify(planned)}\n`

/**
 * Reads a plan line by line. It may have lain on a stick in somebody else's computer, so each line is checked: nothing is
 * written outside the export.
 */
export async function* readPlan(path: string): AsyncGenerator<Planned> {
  await using file = await open(path)
  for await (const line of file.readLines()) {
    const read = lineSchema.safeParse(parsed(line))
    if (!read.success)
      throw new Error(`The plan of the unfinished export is damaged (${path}). Begin in another directory.`)
    yield read.data
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
