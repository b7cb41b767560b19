import { COLUMN_NAMES, meaningOf, type Texts } from './cell-text.ts'
import type { CompanyColumn } from '../company/company.ts'

/** A row of one of three tables: as fetched, as changed here, and as saved now. */
export type VersionRow = {
  key: string
  texts: Texts
  locked: boolean
  editable: readonly string[]
  deletable: boolean
}

/** Rows of the same company have the same key in all three. */
export type Versions = {
  before: readonly VersionRow[]
  mine: readonly VersionRow[]
  theirs: readonly VersionRow[]
}

/** Which side has changed a cell or a row. */
export type By = 'me' | 'them' | 'both'

export type CellDifference = { column: CompanyColumn | 'locked'; mine: string; theirs: string; by: By }

/** A row that differs. An added or removed row is in only one version, with these `texts`. */
export type Difference =
  | { kind: 'changed'; key: string; name: string; cells: CellDifference[] }
  | { kind: 'added' | 'removed'; key: string; name: string; by: 'me' | 'them'; texts: Texts }

/** Returns the differences between my version and theirs, in their order; rows that only I have come last. */
export function differencesOf(versions: Versions): Difference[] {
  const [before, mine, theirs] = tablesOf(versions)
  const changed = versions.theirs.flatMap((row): Difference[] => {
    const { key, texts } = row
    const own = mine.get(key)
    const name = own?.texts.name || texts.name
    if (!own)
      return before.has(key)
        ? [{ kind: 'removed', key, name, by: 'me', texts }]
        : [{ kind: 'added', key, name, by: 'them', texts }]
    const cells = cellsOf(before.get(key), own, row)
    return cells.length > 0 ? [{ kind: 'changed', key, name, cells }] : []
  })
  const onlyMine = versions.mine
    .filter(({ key }) => !theirs.has(key))
    .map(({ key, texts }): Difference => {
      const wasThere = before.has(key)
      return {
        kind: wasThere ? 'removed' : 'added',
        key,
        name: texts.name,
        by: wasThere ? 'them' : 'me',
        texts,
      }
    })
  return [...changed, ...onlyMine]
}

function cellsOf(before: VersionRow | undefined, mine: VersionRow, theirs: VersionRow): CellDifference[] {
  const cells = COLUMN_NAMES.filter((column) => !isSame(column, mine, theirs)).map((column) => ({
    column,
    mine: mine.texts[column],
    theirs: theirs.texts[column],
    by: byWhom(!before || !isSame(column, before, mine), !before || !isSame(column, before, theirs)),
  }))
  if (mine.locked === theirs.locked) return cells
  const by = mine.locked === before?.locked ? 'them' : 'me'
  return [...cells, { column: 'locked', mine: lockText(mine.locked), theirs: lockText(theirs.locked), by }]
}

const isSame = (column: CompanyColumn, one: VersionRow, other: VersionRow) =>
  meaningOf(column, one.texts[column]) === meaningOf(column, other.texts[column])

const lockText = (locked: boolean) => (locked ? 'Låst' : 'Ikke låst')

function byWhom(byMe: boolean, byThem: boolean): By {
  if (byMe && byThem) return 'both'
  return byMe ? 'me' : 'them'
}

/** A row of the merged table. `isNew`: it is not stored now and will be added. */
type MergedRow = VersionRow & { isNew: boolean }

/**
 * Applies my changes on top of theirs. Keeps their cells where I changed none, their rows, and my new rows. A row
 * that I changed and they deleted comes back. A row that is locked meanwhile stays as theirs.
 */
export function keepMine(versions: Versions): MergedRow[] {
  const [before, mine, theirs] = tablesOf(versions)
  const merged = new Map<string, MergedRow>()
  for (const row of versions.theirs) {
    const own = mine.get(row.key)
    if (own) merged.set(row.key, onTop(before.get(row.key), own, row))
    else if (!before.has(row.key) || !row.deletable) merged.set(row.key, { ...row, isNew: false })
  }
  for (const row of versions.mine)
    if (!theirs.has(row.key) && hasChanged(before.get(row.key), row))
      // A user who may not delete a locked row may not add one either.
      merged.set(row.key, { ...row, locked: row.locked && row.deletable, isNew: true })
  const keys = (rows: readonly VersionRow[]) => rows.map(({ key }) => key)
  const both = (key: string) => before.has(key) && mine.has(key)
  const isMoved = keys(versions.mine).filter(both).join() !== keys(versions.before).filter(both).join()
  const [first, second] = isMoved ? [versions.mine, versions.theirs] : [versions.theirs, versions.mine]
  return weave(keys(first), keys(second)).flatMap((key) => merged.get(key) ?? [])
}

/** Counts my changes that a lock has made impossible meanwhile. */
export function countDropped(versions: Versions, merged: readonly MergedRow[]): number {
  const [before, mine] = tablesOf(versions)
  return merged.reduce((sum, row) => {
    const [old, own] = [before.get(row.key), mine.get(row.key)]
    if (!own) return old ? sum + 1 : sum // I had deleted it
    const lost = COLUMN_NAMES.filter(
      (column) => (!old || !isSame(column, old, own)) && !isSame(column, row, own),
    )
    return sum + lost.length
  }, 0)
}

function onTop(before: VersionRow | undefined, mine: VersionRow, theirs: VersionRow): MergedRow {
  const texts = { ...theirs.texts }
  for (const column of COLUMN_NAMES)
    if (theirs.editable.includes(column) && (!before || !isSame(column, before, mine)))
      texts[column] = mine.texts[column]
  const locked = before && before.locked !== mine.locked ? mine.locked : theirs.locked
  return { ...theirs, texts, locked, isNew: false }
}

const hasChanged = (before: VersionRow | undefined, mine: VersionRow) =>
  !before || before.locked !== mine.locked || COLUMN_NAMES.some((column) => !isSame(column, before, mine))

/** Merges both orders. The first decides; a key that only the second has follows its neighbour there. */
function weave(first: readonly string[], second: readonly string[]): string[] {
  const woven = [...first]
  const known = new Set(first)
  for (const [index, key] of second.entries()) {
    if (known.has(key)) continue
    woven.splice(index === 0 ? 0 : woven.indexOf(second[index - 1]!) + 1, 0, key)
    known.add(key)
  }
  return woven
}

const tablesOf = ({ before, mine, theirs }: Versions) =>
  [before, mine, theirs].map((rows) => new Map(rows.map((row) => [row.key, row]))) as [
    Map<string, VersionRow>,
    Map<string, VersionRow>,
    Map<string, VersionRow>,
  ]
