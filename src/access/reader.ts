import type { Role } from '../rights.ts'

/** The person who is looking. Every query that shows something takes a reader. */
export type Reader = { id: number; role: Role }

/** A project's files, or a person's own. */
export type FileOwner = { project: number } | { user: number }
