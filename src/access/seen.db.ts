import { sql, type RawBuilder } from 'kysely'
import { isLentTo, isOffice, readsHiddenFolders, type Role } from '../rights.ts'
import { IS_IN_SCOPE, lendingsTo } from './lent.db.ts'

/** A reader as a query knows them: by id, or by the column or slot that holds the id. */
export type QueriedReader = { id: Id; role: Role }
/** A `FileOwner` in the same way. */
export type QueriedOwner = { project: Id } | { user: Id }
type Id = number | RawBuilder<number>

// Says who sees what, as conditions for queries. `seen.ts` has the same rule in plain code, and
// test/seeing/seeing.test.ts compares the two through every address that shows something.

/**
 * Condition on `projects`: the office sees all of them, advisers those of a member who lends them everything, or a folder in
 * it, and others those they are members of.
 */
export function isProjectSeen(reader: QueriedReader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return ALWAYS
  if (!isLentTo(reader.role)) return isMember(sql`projects.id`, reader)
  // Begins with the lenders' memberships: the other way round each project would be compared with each lending.
  return sql<boolean>`projects.id in (
    select theirs.project_id from ${lendingsTo(reader)} join project_members as theirs on theirs.user_id = lender.id
    where ${isProjectLent(sql`theirs.project_id`)})`
}

/**
 * Condition on `folders`: investors see their own and shared ones of their projects, auditors all of their projects, and
 * advisers what is lent to them of those that the lender sees now.
 */
export function isFolderSeen(reader: QueriedReader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return ALWAYS
  if (isLentTo(reader.role)) return isFolderLent(reader, ALWAYS)
  const isOfProject = isMember(sql`folders.project_id`, reader)
  if (readsHiddenFolders(reader.role)) return isOfProject
  return sql<boolean>`(folders.user_id = ${reader.id} or folders.visible_to_investors and ${isOfProject})`
}

/** Condition on `folders`: an adviser sees it through one of the lendings that fulfil a condition. */
export function isFolderLent(reader: QueriedReader, which: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from ${lendingsTo(reader)} where ${which} and ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE})`
}

/** Condition on `folders`: belongs to an owner, seen or not. */
export function isOwnedBy(owner: QueriedOwner): RawBuilder<boolean> {
  return 'user' in owner
    ? sql<boolean>`folders.user_id = ${owner.user}`
    : sql<boolean>`folders.project_id = ${owner.project}`
}

/** Condition on `folders`: belongs to an owner, and the reader sees it. */
export function isFolderOf(owner: QueriedOwner, reader: QueriedReader): RawBuilder<boolean> {
  return sql<boolean>`(${isOwnedBy(owner)} and ${isFolderSeen(reader)})`
}

/** Condition on `files` joined with `folders`: shown to the reader, in a folder that they see. */
export function isFileSeen(reader: QueriedReader): RawBuilder<boolean> {
  return sql<boolean>`(${isFileShown(reader)} and ${isFolderSeen(reader)})`
}

/** Condition on `files` of folders that the reader sees: not deleted, and released to the reader. */
export function isFileShown(reader: QueriedReader): RawBuilder<boolean> {
  return sql<boolean>`(files.deleted_at is null and ${isReleased(reader)})`
}

/** Condition on `files`, deleted or not: only the office sees what is held back. */
export function isReleased({ role }: QueriedReader): RawBuilder<boolean> {
  return isOffice(role) ? ALWAYS : sql<boolean>`not files.is_held_back`
}

/** Condition on a file's versions that are not shown, of files that the reader sees: they are the office's alone. */
export function isVersionSeen({ role }: QueriedReader): RawBuilder<boolean> {
  return isOffice(role) ? ALWAYS : NEVER
}

/** Columns of `folders`: how many files the reader sees in it, and when something that they see was changed last. */
export function contentsSeen({ role }: QueriedReader): {
  filesCount: RawBuilder<number>
  changedAt: RawBuilder<Date>
} {
  return isOffice(role)
    ? { filesCount: sql<number>`folders.files_count`, changedAt: sql<Date>`folders.changed_at` }
    : { filesCount: sql<number>`folders.shown_count`, changedAt: sql<Date>`folders.shown_changed_at` }
}

/** Condition on `files` joined with `folders`: deleted. Only the office sees deleted files. */
export function isDeletedFileSeen(reader: QueriedReader): RawBuilder<boolean> {
  return isOffice(reader.role) ? sql<boolean>`files.deleted_at is not null` : NEVER
}

/** Condition on `users`: the office sees everyone, deactivated people too; others see themselves, and who lends to them. */
export function isPersonSeen(reader: QueriedReader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return ALWAYS
  const isSelf = sql<boolean>`users.id = ${reader.id}`
  return isLentTo(reader.role)
    ? sql<boolean>`(${isSelf} or users.id in (select lender.id from ${lendingsTo(reader)}))`
    : isSelf
}

/** Condition on `users`: the office sees every report, others their own, and advisers that of whoever lends them everything. */
export function isReportSeen(reader: QueriedReader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return ALWAYS
  const isSelf = sql<boolean>`users.id = ${reader.id}`
  return isLentTo(reader.role)
    ? sql<boolean>`users.id in (select lender.id from ${lendingsTo(reader)} where lendings.is_everything)`
    : isSelf
}

const ALWAYS = sql<boolean>`true`
const NEVER = sql<boolean>`false`

/** The reader whose eyes an adviser looks through. */
export const LENDER = { id: sql<number>`lender.id`, role: 'investor' } as const satisfies QueriedReader

function isMember(projectId: RawBuilder<unknown>, reader: QueriedReader): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from project_members
    where project_members.project_id = ${projectId} and project_members.user_id = ${reader.id})`
}

/** Condition on a project's id, `lendings` and `lender`, who is a member: they lend everything, or a folder in it. */
function isProjectLent(projectId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(lendings.is_everything or exists (
    select from folders where folders.project_id = ${projectId} and ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE}))`
}

/** Condition on `projects`, `lendings` and `lender`: the lender sees it, and lends everything, or a folder in it. */
export const IS_PROJECT_LENT = sql<boolean>`(${isProjectSeen(LENDER)} and ${isProjectLent(sql`projects.id`)})`
