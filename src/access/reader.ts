import type { Actor } from '../log/log.db.ts'
import type { Role } from '../rights.ts'

/** The person who is looking. Every query that shows something takes a reader. */
export type Reader = { id: number; role: Role }

/** One person who does something: as the log writes them down, and as the rule of seeing knows them. */
export type Visit = { actor: Actor; reader: Reader }

/** A project's files, or a person's own. */
export type FileOwner = { project: number } | { user: number }
