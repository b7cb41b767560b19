import { listed, withRest } from '../base/danish/listed.ts'
import { dayOf } from '../base/time/dates.ts'
import { writeDay } from '../base/time/days.ts'

/** An investor lends everything they see, or folders by name, their own files, or both. */
export type LentScope = { is_everything: boolean; folder_names: string[]; with_own_files: boolean }

/** Somebody who lends access to the reader. */
export type Lender = LentScope & {
  id: number
  name: string
  /** The first moment after it ends; null if it has no end. */
  until: string | null
  /** How many of the lender's own files the reader sees. */
  files_count: number
}

/** A person whose papers an adviser reads. */
export type Client = { id: number; name: string }

/** The filters of a list by client, as an address names them: 'client-12'. None where there is nothing to choose. */
export function clientFilters(clients: readonly Client[]): Record<string, string> {
  return clients.length < 2 ? {} : Object.fromEntries(clients.map(({ id, name }) => [clientFilter(id), name]))
}

export const clientFilter = (id: number) => `client-${id}`

/** Returns the id in 'client-12'. */
export const clientIn = (filter: string) => Number(filter.slice('client-'.length))

/** 'Alt', 'Årsrapport og Skatteoplysninger', 'Årsrapport og egne filer'. */
export function scopeText({
  is_everything: isAll,
  folder_names: names,
  with_own_files: withOwn,
}: LentScope): string {
  return isAll ? 'Alt' : listed([...names, ...(withOwn ? ['egne filer'] : [])])
}

/** A sentence names at most this many advisers. */
const MOST_SEEN_BY = 2

/**
 * Names who sees a person's own files: 'dig og kontoret', 'Bo Holm, kontoret og Karen Revisor'. `readers` are those whom the
 * person has lent them to, as the rule of seeing knows them.
 */
export function ownReadersText(who: string, readers: readonly string[]): string {
  const named = readers.length <= MOST_SEEN_BY ? readers : [`${readers.length} rådgivere`]
  return listed([who, 'kontoret', ...named])
}

/** 'Ses af dig og kontoret', 'Ses af Bo Holm, kontoret og Karen Revisor'. */
export const seenByText = (who: string, readers: readonly string[]) =>
  `Ses af ${ownReadersText(who, readers)}`

const MOST_NAMED = 4

/** 'For Bo Holm', 'For Bo Holm og Ida Lund'. */
export const forText = (names: readonly string[]) => `For ${listed(withRest(names, MOST_NAMED))}`

/** The last whole day, as '2026-12-31'. */
export function lastDayOf(until: string, timeZone: string): string {
  return dayOf(new Date(Date.parse(until) - 1), timeZone)
}

/** 'til og med 31/12/2026', 'indtil adgangen tages tilbage'. */
export function untilText(until: string | null, timeZone: string): string {
  return until === null
    ? 'indtil adgangen tages tilbage'
    : `til og med ${writeDay(lastDayOf(until, timeZone))}`
}
