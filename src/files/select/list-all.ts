import { EVERYTHING, writeListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { fetchJson } from '../../ui/overlay/request.ts'
import { MOST_AT_ONCE, type ListedFile } from '../file/stored-file.ts'

/** How many pages are asked for at a time. */
const AT_ONCE = 6

/** Fetches the files of a list, or those that a search found, as many as can be selected. Null if a page cannot be fetched. */
export async function listAll(
  route: string,
  q: string,
): Promise<{ files: ListedFile[]; total: number } | null> {
  const read = (page: number) =>
    fetchJson<Page<ListedFile>>('GET', route + writeListQuery({ ...EVERYTHING, q, page }))
  const first = await read(1)
  if (!first) return null
  const { total } = first.meta
  const size = Math.max(1, first.data.length)
  const last = Math.ceil(Math.min(total, MOST_AT_ONCE) / size)
  const files = [...first.data]
  for (let page = 2; page <= last; page += AT_ONCE) {
    const wanted = Array.from({ length: Math.min(AT_ONCE, last - page + 1) }, (_, nth) => page + nth)
    const answers = await Promise.all(wanted.map(read))
    for (const answer of answers) {
      if (!answer) return null
      files.push(...answer.data)
    }
  }
  return { files: files.slice(0, MOST_AT_ONCE), total }
}
