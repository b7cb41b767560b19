import { FolderDown } from 'lucide-react'
import type { FileOwner } from '../../access/reader.ts'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { fileUrls, zipOf } from '../../urls.ts'

/** How many years are offered. Finding out which years there are would cost every view of the page. */
const YEARS = 3

/** Offers all of an owner's files as a ZIP archive, or those of this year or one of the last. */
export function ZipMenu({ owner, year: thisYear }: { owner: FileOwner; year: number }) {
  const years = Array.from({ length: YEARS }, (_, ago) => thisYear - ago)
  return (
    <Dropdown
      label="Hent som ZIP"
      icon={FolderDown}
      items={[
        { key: 'all', text: 'Alle filer', href: fileUrls.zip(owner) },
        ...years.map((year) => ({ key: year, text: `Filer fra ${year}`, href: zipOf(owner, { year }) })),
      ]}
    />
  )
}
