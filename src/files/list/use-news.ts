import { useCallback, useMemo, useState } from 'react'
import { newsLeft } from '../../projects/news/news.ts'
import { useLatest } from '../../ui/live/use-latest.ts'
import type { FolderLink } from '../file/stored-file.ts'
import type { FilesScreen } from '../screen/use-files-screen.ts'

/** Counts files that were read here as no longer new, before the server says so. */
export function useNews(answer: object) {
  const [reads, setReads] = useState<readonly { file: number; folder: number; since: object }[]>([])
  const read = useMemo(() => new Set(reads.map(({ file }) => file)), [reads])
  const latest = useLatest(answer)
  const onRead = useCallback<FilesScreen['onRead']>(
    ({ file, folder }) =>
      setReads((now) =>
        now.some((each) => each.file === file.id)
          ? now
          : [...now, { file: file.id, folder: folder.id, since: latest.current }],
      ),
    [latest],
  )
  return {
    read,
    onRead,
    newsIn: ({ id, new_count: count }: Pick<FolderLink, 'id' | 'new_count'>) =>
      newsLeft(count, reads.filter(({ folder, since }) => folder === id && since === answer).length),
  }
}
