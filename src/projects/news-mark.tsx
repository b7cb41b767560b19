import { Chip } from '../ui/chips.tsx'
import { newsText } from './news.ts'

/** How many files are new. */
export function NewsMark({ count }: { count: number }) {
  return <Chip tone="accent" text={newsText(count)} />
}
