import { COLUMN_NAMES, meaningOf, type Texts } from './cell-text.ts'
import type { CompanyColumn } from './company.ts'

/** A row of one of three tables: as it was fetched, as it has been changed here, and as it is kept by now. */
export type VersionRow = {
  key: string
  texts: Texts
  locked: boolean
  editable: readonly string[]
  deletable: boolean
}

/** The rows that are the same company in each have the same key. */
export type Versions = {
  before: readonly VersionRow[]
  mine: readonly VersionRow[]
  theirs: readonly VersionRow[]
}

/** Who has changed something since it was fetched. */
export type By = 'me' | 'them' | 'both'

export type CellDifference = { column: CompanyColumn | 'locked'; mine: string; theirs: string; by: By }

/** A row that is not the same in both; `texts` of one that only one of them has. */
export type Difference =
  | { kind: 'changed'; key: string; name: string; cells: CellDifference[] }
  | { kind: 'added' | 'removed'; key: string; name: string; by: 'me' | 'them'; texts: Texts }

/** What is not the same in mine and theirs, in the order of theirs; rows that only I have come last. */
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

/** A row after both have changed the table; one that is kept no longer is new again. */
export type MergedRow = VersionRow & { isNew: boolean }

/**
 * What I have changed on top of theirs: their cells where I changed none, their rows, and mine. A row that they have
 * deleted and I have changed is there again; one that may no longer be deleted or written in stays as theirs is.
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
      // Who may not delete a locked row cannot make one either.
      merged.set(row.key, { ...row, locked: row.locked && row.deletable, isNew: true })
  const keys = (rows: readonly VersionRow[]) => rows.map(({ key }) => key)
  const both = (key: string) => before.has(key) && mine.has(key)
  const isMoved = keys(versions.mine).filter(both).join() !== keys(versions.before).filter(both).join()
  const [first, second] = isMoved ? [versions.mine, versions.theirs] : [versions.theirs, versions.mine]
  return weave(keys(first), keys(second)).flatMap((key) => merged.get(key) ?? [])
}

/** How many of my changes a lock has made impossible meanwhile. */
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

/** All of both in the order of the first; what only the second has comes after its neighbour there. */
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
