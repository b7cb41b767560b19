import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Returns where a program is, or null if this computer has none of that name. */
export async function findProgram(name: string, path = process.env.PATH ?? ''): Promise<string | null> {
  for (const directory of path.split(delimiter).filter((each) => each.startsWith('/'))) {
    const program = join(directory, name)
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return program
  }
  return null
}
