import { lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { syncDirectory } from '../../server/storage/sync-directory.ts'
import { targetFault } from './target-fault.ts'
import { writeWhole } from './text-file.server.ts'

/** Holds the state and the plan until the export is whole. */
const WORK = '.ringbind-eksport'
const STATE = 'tilstand.json'
const PLAN = 'plan.ndjson'
const UNFINISHED = 'IKKE FÆRDIG.txt'
const FINISHED = 'FÆRDIG.txt'

const stateSchema = z.object({
  format: z.literal(1),
  /** Identifies the office. */
  installation: z.string(),
  /** The time of the exported state. */
  at: z.string(),
  /** Whether the tables and the plan are complete, so that only files are left to write. */
  isPlanned: z.boolean(),
  files: z.number(),
  bytes: z.number(),
})
export type State = z.infer<typeof stateSchema>

/** A directory that becomes an export. */
export type Place = {
  root: string
  plan: string
  /** The state of a stopped export; null for a new one. */
  state: State | null
  save: (state: State) => Promise<void>
  /** Marks the export as complete, and removes temporary files. */
  finish: (text: string) => Promise<void>
}

const UNFINISHED_TEXT = `Denne mappe er ikke en hel eksport endnu.

Ringbind skriver stadig i den, eller eksporten blev afbrudt. Kør den samme kommando igen,
så fortsætter den, hvor den slap. Læg ikke andre filer her imens.\r\n`.replaceAll(/\r?\n/g, '\r\n')

/** Opens a directory for the export: a new or an empty one, or one with an unfinished export of the same office. */
export async function openPlace(directory: string, dataDir: string, installation: string): Promise<Place> {
  const root = await makeDirectory(resolve(directory))
  try {
    return await claim(root, dataDir, installation)
  } catch (error) {
    throw targetFault(error, root)
  }
}

async function claim(root: string, dataDir: string, installation: string): Promise<Place> {
  await refuseInside(root, dataDir)
  const work = join(root, WORK)
  const state = await readState(root, installation)
  if (await isThere(join(root, FINISHED))) {
    if (state) await tidyUp(root)
    throw new Error(`${root} has a whole export already. Choose another directory.`)
  }
  if (state === null) {
    const others = (await readdir(root)).filter((name) => name !== WORK)
    if (others.length > 0)
      throw new Error(
        `${root} is not empty. Choose an empty directory, or one with an unfinished export of this office.`,
      )
    await mkdir(work, { mode: 0o700, recursive: true })
  }
  const save = async (next: State) => void (await writeWhole(join(work, STATE), JSON.stringify(next)))
  if (state === null) await save({ ...NOTHING, installation })
  await writeWhole(join(root, UNFINISHED), UNFINISHED_TEXT)
  return {
    root,
    plan: join(work, PLAN),
    state: state?.isPlanned ? state : null,
    save,
    finish: async (text) => {
      await writeWhole(join(root, FINISHED), text)
      await tidyUp(root)
    },
  }
}

const NOTHING: State = {
  format: 1,
  installation: '',
  at: '',
  isPlanned: false,
  files: 0,
  bytes: 0,
}

async function makeDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 }) // its parent must be there: a disk that is not mounted is not written beside
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new Error(`${path} cannot be made: ${dirname(path)} is not there.`, { cause: error })
    if (code !== 'EEXIST') throw new Error(`${path} cannot be made: ${message}`, { cause: error })
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is no directory.`, { cause: error })
  }
  return realpath(path)
}

async function refuseInside(root: string, dataDir: string): Promise<void> {
  const data = await realpath(dataDir).catch(() => dataDir)
  if (root === data || root.startsWith(data + sep))
    throw new Error(`${root} lies in ${data}, where Ringbind keeps its own data. Choose another directory.`)
}

async function readState(root: string, installation: string): Promise<State | null> {
  const text = await readFile(join(root, WORK, STATE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new Error(`${root} cannot be read: ${error.message}`, { cause: error })
  })
  if (text === null) return null
  const read = stateSchema.safeParse(parsed(text))
  if (!read.success)
    throw new Error(`${root} has an unfinished export that cannot be continued. Choose another directory.`)
  if (read.data.installation !== installation)
    throw new Error(`${root} has an unfinished export of another office. Choose another directory.`)
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function tidyUp(root: string): Promise<void> {
  await rm(join(root, UNFINISHED), { force: true })
  await rm(join(root, WORK), { recursive: true, force: true })
  await syncDirectory(root)
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
