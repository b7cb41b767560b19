import type { StoredFile } from '../files/stored-file.ts'
import type { UploadFolder, UploadUser } from './placing.ts'

/** A folder of a project, or of a person, and what has been put there. */
export type ResultGroup = {
  folder: UploadFolder
  project: { id: number; number: string; name: string } | null
  user: UploadUser | null
  files: StoredFile[]
}

export type Result = {
  groups: ResultGroup[]
  /** How many of its files are no longer there. */
  deleted: number
}
