import { scopeText, untilText, type Lender } from '../access/lent.ts'
import { FileListing, type FileListingProps } from '../files/list/file-listing.tsx'
import { SeenForm } from '../projects/news/seen-form.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'

type LenderPageProps = {
  lender: Lender
  /** The lender's own files. Null if they are not lent. */
  files: FileListingProps | null
  /** When the new ones among them were counted; null if there are none. */
  until: string | null
}

/** Shows an adviser what one person lets them see, and the person's own files. */
export function LenderPage({ lender, files, until }: LenderPageProps) {
  const { timeZone } = useFrame()
  return (
    <Shell
      title={lender.name}
      above="Du ser på vegne af"
      actions={
        <div className="flex flex-wrap gap-3">
          <LinkButton kind="secondary" href={`${urls.papersPage}?client=${lender.id}`}>
            Se papirerne
          </LinkButton>
          {lender.is_everything && (
            <LinkButton kind="secondary" href={urls.report(lender.id)}>
              Se rapporten
            </LinkButton>
          )}
        </div>
      }
    >
      <div className="grid gap-6">
        <p className="text-muted">
          Du har adgang til {lender.is_everything ? 'alt' : scopeText(lender)},{' '}
          {untilText(lender.until, timeZone)}.
        </p>
        {files && (
          <FileListing
            owner={{ user: lender.id }}
            search={`Søg i filer fra ${lender.name}`}
            beside={until !== null && <SeenForm action={urls.lenderSeen(lender.id)} until={until} />}
            {...files}
          />
        )}
      </div>
    </Shell>
  )
}
