import type { Asked } from './measure/asked.ts'
import type { Result } from './measure/result.ts'

export type Part = {
  name: string
  /** Its heading in the document and the picture. */
  title: string
  /** The part is ended after this long. On a quiet machine most take half of it. */
  minutes: number
  load: () => Promise<{ measure: (asked: Asked) => Promise<Result[]> }>
}

/** Everything that `npm run bench` measures, in the order of the document. A line here adds a part. */
export const PARTS: Part[] = [
  { name: 'acts', title: 'Daily acts', minutes: 4, load: () => import('./pages/acts.ts') },
  { name: 'start', title: 'The start, and idle memory', minutes: 2, load: () => import('./server/start.ts') },
  {
    name: 'lists',
    title: 'Lists of projects and people',
    minutes: 2,
    load: () => import('./pages/lists.ts'),
  },
  { name: 'files', title: 'Lists of files', minutes: 6, load: () => import('./pages/files.ts') },
  { name: 'phone', title: 'A slow phone', minutes: 2, load: () => import('./pages/phone.ts') },
  { name: 'search', title: 'Search', minutes: 9, load: () => import('./pages/search.ts') },
  { name: 'news', title: 'News', minutes: 3, load: () => import('./pages/news.ts') },
  { name: 'log', title: 'The log', minutes: 3, load: () => import('./pages/log.ts') },
  {
    name: 'chain',
    title: 'The log’s links, and its role',
    minutes: 3,
    load: () => import('./server/chain.ts'),
  },
  { name: 'year', title: 'The overview of a year', minutes: 2, load: () => import('./pages/year.ts') },
  { name: 'sign-in', title: 'Signing in', minutes: 1, load: () => import('./server/sign-ins.ts') },
  { name: 'uploads', title: 'Uploads', minutes: 2, load: () => import('./bytes/uploads.ts') },
  { name: 'downloads', title: 'Downloads', minutes: 3, load: () => import('./bytes/downloads.ts') },
  { name: 'zips', title: 'Archives', minutes: 4, load: () => import('./bytes/zips.ts') },
  { name: 's3', title: 'Files in S3', minutes: 3, load: () => import('./bytes/s3.ts') },
  { name: 'drop', title: 'Files dropped on a page', minutes: 3, load: () => import('./pages/drop.ts') },
  { name: 'pile', title: 'A pile without names', minutes: 1, load: () => import('./pages/pile.ts') },
  { name: 'pile-page', title: 'The page of a pile', minutes: 3, load: () => import('./pages/pile-page.ts') },
  { name: 'report', title: 'An investor’s report', minutes: 2, load: () => import('./pages/report.ts') },
  { name: 'reading', title: 'Reading documents', minutes: 3, load: () => import('./bytes/reading.ts') },
  { name: 'many', title: 'Many files at once', minutes: 3, load: () => import('./server/many.ts') },
  { name: 'live', title: 'Pages that listen', minutes: 4, load: () => import('./server/live.ts') },
  { name: 'releases', title: 'Releases', minutes: 6, load: () => import('./pages/releases.ts') },
  { name: 'watch', title: 'Watching', minutes: 1, load: () => import('./server/watch.ts') },
  { name: 'workers', title: 'Workers', minutes: 3, load: () => import('./server/workers.ts') },
  { name: 'copies', title: 'Copies', minutes: 3, load: () => import('./bytes/copies.ts') },
  { name: 'import', title: 'Moving in', minutes: 1, load: () => import('./bytes/import.ts') },
  { name: 'export', title: 'Moving out', minutes: 3, load: () => import('./bytes/export.ts') },
]

/** The sizes that take long need this many times the minutes. */
export const LARGE_TIMES = 15
