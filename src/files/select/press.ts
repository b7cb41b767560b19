import { countFiles } from '../../projects/folder.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { folderAnchor } from '../../urls.ts'
import type { FilesScreen, Picked, ShownFolder } from '../screen/use-files-screen.ts'
import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { listAll } from './list-all.ts'
import { selected } from './selected.ts'
import { selectAll, selectTo, toggle } from './selection.ts'
import { findPicked, listShown, missingBetween } from './shown-files.ts'

type Sections = FilesScreen['sections']

const fileId = ({ file }: Picked) => file.id

const FULL = `Der kan højst vælges ${countFiles(MOST_AT_ONCE)} ad gangen.`
const NOT_FETCHED = 'Filerne kunne ikke hentes. Prøv igen.'

/** Selects a row, or leaves it out. */
export function press(sections: Sections, id: number): void {
  const picked = findPicked(sections.values(), id)
  if (!picked) return
  const before = selected.now()
  selected.set(toggle(before, id, picked))
  if (before.items.size >= MOST_AT_ONCE && !before.items.has(id)) showToast(FULL, { kind: 'fault' })
}

/** Selects up to a row, and fetches what lies between. */
export async function pressTo(sections: Sections, to: number): Promise<void> {
  const shown = listShown(inOrder(sections))
  const missing = missingBetween(shown, selected.now().anchor ?? to, to)
  const fetched = await Promise.all(
    Array.from(
      missing,
      async ([{ folder, files }, pages]) => [folder.id, await files.ensure(pages)] as const,
    ),
  )
  const fresh = new Map(fetched.flatMap(([id, pages]) => (pages ? [[id, pages]] : [])))
  if (fresh.size < missing.size) return showToast(NOT_FETCHED, { kind: 'fault' })
  const order = listShown(inOrder(sections), fresh).flatMap(({ picked }) => picked ?? [])
  const next = selectTo(selected.now(), order, to, fileId)
  selected.set(next)
  if (next.items.size >= MOST_AT_ONCE && !next.items.has(to)) showToast(FULL)
  return undefined
}

/** Selects all files of a folder, or those that the search found, from the address that they are fetched from. */
export async function pressAll(folder: Picked['folder'], route: string, q: string): Promise<void> {
  const list = await listAll(route, q)
  if (!list) return showToast(NOT_FETCHED, { kind: 'fault' })
  const all = list.files.map((file) => ({ file, folder }))
  const next = selectAll(selected.now(), all, fileId)
  selected.set(next)
  if (next.items.size < list.total) showToast(FULL)
  return undefined
}

/** The folders as the page shows them: each keeps its own entry up to date, in any order. */
function inOrder(sections: Sections): ShownFolder[] {
  const topOf = ({ folder: { id } }: ShownFolder) =>
    document.getElementById(folderAnchor(id))?.getBoundingClientRect().top ?? 0
  return [...sections.values()]
    .map((section) => ({ section, top: topOf(section) }))
    .toSorted((a, b) => a.top - b.top)
    .map(({ section }) => section)
}
