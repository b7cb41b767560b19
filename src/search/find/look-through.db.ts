import { listPackedPages, type PackedPage } from '../../reading/page-texts.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Look } from '../beside/beside.server.ts'

/** A page, and which of the patterns it has. */
export type SeenPage = PackedPage & { matched: number[] }

/** How many texts are fetched together. */
const TEXTS_AT_ONCE = 8

/**
 * Looks for patterns in texts: the first pages of each, then the next ones of each, until all are seen or the look has
 * nothing left. `see` gets the pages of a text and returns whether it wants more of them.
 */
export async function lookThrough(
  db: Database,
  textIds: readonly number[],
  patterns: string[],
  look: Look,
  see: (textId: number, pages: SeenPage[]) => boolean,
): Promise<void> {
  const left = [...new Set(textIds)].map((id) => ({ id, after: 0 }))
  while (left.length > 0) {
    look.signal?.throwIfAborted()
    if (look.isSpent) return void (look.isCut = true)
    const some = left.splice(0, TEXTS_AT_ONCE)
    const found = await listPackedPages(db, some)
    for (const { id } of some) {
      const { pages, hasMore } = found.get(id) ?? { pages: [], hasMore: false }
      const matched = await look.match(pages, patterns)
      const seen = pages
        .slice(0, matched.length)
        .map((page, index) => ({ ...page, matched: matched[index]! }))
      if (see(id, seen) && hasMore) left.push({ id, after: pages.at(-1)!.page })
    }
  }
}
