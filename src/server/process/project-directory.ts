import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The project's directory, with a slash at its end. Works from the sources and from the build. */
export const PROJECT = pathToFileURL(`${findUpwards(import.meta.dirname)}/`)

function findUpwards(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findUpwards(dirname(directory))
}
