import { FolderDown } from 'lucide-react'
import type { FileOwner } from '../../access/reader.ts'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { fileUrls, zipOf } from '../../urls.ts'

/** Offers all of an owner's files as a ZIP archive, or those of one year. */
export function ZipMenu({ owner, years }: { owner: FileOwner; years: number[] }) {
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
