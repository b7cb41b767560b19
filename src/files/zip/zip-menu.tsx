import { FolderDown } from 'lucide-react'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { Dropdown } from '../../ui/menu/dropdown.tsx'
import { fileUrls, urls } from '../../urls.ts'
import { packageText, type YearSum } from './year-sum.ts'

/** Offers all of a project's files as a ZIP archive, or those of one year with a table of contents. */
export function ZipMenu({ project, years }: { project: number; years: YearSum[] }) {
  const { role } = useFrame().user!
  return (
    <Dropdown
      label="Hent som ZIP"
      icon={FolderDown}
      items={[
        { key: 'all', text: 'Alle filer', href: fileUrls.zip({ project }) },
        ...years.map((each) => ({
          key: each.year,
          text: packageText(each),
          href: urls.projectPackage(project, each.year),
        })),
        ...(may(role, 'takeYears') && !may(role, 'seePapers')
          ? [{ key: 'packages', text: 'Årspakker for alle projekter', href: urls.yearPackages }]
          : []),
      ]}
    />
  )
}
