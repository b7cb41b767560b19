import { Chip } from '../../ui/basic/chip.tsx'
import { newsText } from './news.ts'

/** Shows how many files are new, if any are. */
export function NewsMark({ count }: { count: number }) {
  return count > 0 && <Chip tone="accent" text={newsText(count)} />
}

/** Shows the same after a name. */
export function NewsAfterName({ count }: { count: number }) {
  return (
    count > 0 && (
      <>
        {'\u2002'}
        <span className="inline-flex align-middle">
          <NewsMark count={count} />
        </span>
      </>
    )
  )
}
