import { LinkButton } from '../../ui/basic/link-button.tsx'
import { urls } from '../../urls.ts'

/** Says on the profile whether there is a second factor, and leads to it. */
export function FactorLink({ hasFactor }: { hasFactor: boolean }) {
  return (
    <p className="flex flex-wrap items-center justify-end gap-x-6 gap-y-3">
      <span className="min-w-0 flex-1 basis-64 text-muted">
        {hasFactor ? 'Totrinslogin er slået til.' : 'Bekræft login med din telefon eller et fingeraftryk.'}
      </span>
      <LinkButton kind="secondary" href={urls.factors}>
        {hasFactor ? 'Rediger totrinslogin' : 'Slå totrinslogin til'}
      </LinkButton>
    </p>
  )
}
