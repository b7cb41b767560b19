import { countFiles } from '../../projects/folder.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import type { WaitingRelease } from './approval.ts'

/** Lists releases that wait for the reader's approval. */
export function WaitingReleases({ releases }: { releases: WaitingRelease[] }) {
  return (
    <ul>
      {releases.map(({ id, name, asked_at: at, made_by: by, files }) => (
        <li
          key={id}
          className="relative flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover"
        >
          <span className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere">
            <a
              href={urls.release(id)}
              className="after:absolute after:inset-0 hover:text-accent hover:underline"
            >
              {name}
            </a>
            <span className="block text-meta font-normal text-muted">
              {countFiles(files)} fra {by}
            </span>
          </span>
          <span className="text-meta text-muted tabular-nums">
            <ShortDate at={at} withTime className="relative" />
          </span>
        </li>
      ))}
    </ul>
  )
}
