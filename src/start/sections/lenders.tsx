import { scopeText, untilText, type Lender } from '../../access/lent.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { urls } from '../../urls.ts'
import { StartSection } from './start-section.tsx'

/** Says on whose behalf an adviser looks, what each has lent, and until when. */
export function Lenders({ lenders }: { lenders: Lender[] }) {
  const { timeZone } = useFrame()
  return (
    <StartSection title="Du ser på vegne af">
      <ul>
        {lenders.map((lender) => (
          <li
            key={lender.id}
            className="relative flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 basis-60">
              <a
                href={urls.user(lender.id)}
                className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
              >
                {lender.name}
              </a>
              <span className="block text-meta text-muted">
                {scopeText(lender)} · {untilText(lender.until, timeZone)}
              </span>
            </span>
            {lender.files_count > 0 && (
              <span className="text-meta text-muted tabular-nums">
                {lender.files_count === 1 ? '1 egen fil' : `${formatCount(lender.files_count)} egne filer`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </StartSection>
  )
}
