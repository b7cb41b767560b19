import type { Result } from './result.ts'

/** What was asked for: acts with one of the words in their name, the largest sizes. */
export type Asked = { words: string[]; isLarge: boolean }

export type Part = {
  name: string
  /** Its heading in the document and the picture. */
  title: string
  /** It is ended after so long. A quiet machine takes half of it for most. */
  minutes: number
  load: () => Promise<{ measure: (asked: Asked) => Promise<Result[]> }>
}

/** All that `npm run bench` measures, in the order of the document. A line here adds a part. */
export const PARTS: Part[] = [
  { name: 'acts', title: 'Daily acts', minutes: 4, load: () => import('./acts.ts') },
  { name: 'start', title: 'The start, and idle memory', minutes: 2, load: () => import('./start.ts') },
  { name: 'lists', title: 'Lists of projects and people', minutes: 2, load: () => import('./lists.ts') },
  { name: 'files', title: 'Lists of files', minutes: 6, load: () => import('./files.ts') },
  { name: 'phone', title: 'A slow phone', minutes: 2, load: () => import('./phone.ts') },
  { name: 'search', title: 'Search', minutes: 9, load: () => import('./search.ts') },
  { name: 'news', title: 'News', minutes: 3, load: () => import('./news.ts') },
  { name: 'log', title: 'The log', minutes: 3, load: () => import('./log.ts') },
  { name: 'chain', title: 'The log’s links, and its role', minutes: 3, load: () => import('./chain.ts') },
  { name: 'year', title: 'The overview of a year', minutes: 2, load: () => import('./year.ts') },
  { name: 'sign-in', title: 'Signing in', minutes: 1, load: () => import('./sign-ins.ts') },
  { name: 'uploads', title: 'Uploads', minutes: 2, load: () => import('./uploads.ts') },
  { name: 'downloads', title: 'Downloads', minutes: 3, load: () => import('./downloads.ts') },
  { name: 'zips', title: 'Archives', minutes: 4, load: () => import('./zips.ts') },
  { name: 's3', title: 'Files in S3', minutes: 3, load: () => import('./s3.ts') },
  { name: 'drop', title: 'Files dropped on a page', minutes: 3, load: () => import('./drop.ts') },
  { name: 'pile', title: 'A pile without names', minutes: 1, load: () => import('./pile.ts') },
  { name: 'pile-page', title: 'The page of a pile', minutes: 3, load: () => import('./pile-page.ts') },
  { name: 'report', title: 'An investor’s report', minutes: 2, load: () => import('./report.ts') },
  { name: 'reading', title: 'Reading documents', minutes: 3, load: () => import('./reading.ts') },
  { name: 'many', title: 'Many files at once', minutes: 3, load: () => import('./many.ts') },
  { name: 'live', title: 'Pages that listen', minutes: 4, load: () => import('./live.ts') },
  { name: 'releases', title: 'Releases', minutes: 6, load: () => import('./releases.ts') },
  { name: 'watch', title: 'Watching', minutes: 1, load: () => import('./watch.ts') },
  { name: 'workers', title: 'Workers', minutes: 3, load: () => import('./workers.ts') },
  { name: 'copies', title: 'Copies', minutes: 3, load: () => import('./copies.ts') },
  { name: 'import', title: 'Moving in', minutes: 1, load: () => import('./import.ts') },
  { name: 'export', title: 'Moving out', minutes: 3, load: () => import('./export.ts') },
]

/** The sizes that take long need this many times the minutes. */
export const LARGE_TIMES = 15
