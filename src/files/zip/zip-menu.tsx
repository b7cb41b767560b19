import { FolderDown } from 'lucide-react'
import type { FileOwner } from '../../access/reader.ts'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { fileUrls, zipOf } from '../../urls.ts'

/** How many years are offered by themselves: those that are asked for. */
const YEARS = 3

/** Offers all of an owner's files as a ZIP archive, or those of one year. */
export function ZipMenu({ owner }: { owner: FileOwner }) {
  const now = new Date().getFullYear()
  const years = Array.from({ length: YEARS }, (_, ago) => now - ago)
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
