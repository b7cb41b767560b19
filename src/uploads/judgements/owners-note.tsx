import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { ownersText, type Owners } from '../papers/judgement.ts'
import { isPdf, splitSent } from '../pile/split-link.ts'
import type { Upload } from '../transport/upload.ts'

type Props = { owners: Owners; upload: Pick<Upload, 'name' | 'hashName'> }

/** Tells that a paper is several people's, and leads to where it is divided. */
export function OwnersNote({ owners, upload: { name, hashName } }: Props) {
  return (
    <span className="flex min-w-0 basis-full flex-wrap items-center gap-x-3 gap-y-1 text-meta text-warn">
      <span className="wrap-anywhere">{ownersText(owners)}</span>
      {owners.divides && hashName !== null && isPdf(name) && (
        <a
          href={splitSent(hashName)}
          {...IN_NEW_TAB}
          aria-label={`Del og fordel ${name}`}
          className="inline-flex min-h-7 items-center text-ink underline underline-offset-2 pointer-coarse:min-h-11"
        >
          Del og fordel
        </a>
      )}
    </span>
  )
}
