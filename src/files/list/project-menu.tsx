import { Ellipsis, Eye, FolderCog, FolderDown, Package, Pencil, Trash2 } from 'lucide-react'
import { may, type Role } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import type { DropdownItem } from '../../ui/menu/dropdown-parts.tsx'
import { Dropdown } from '../../ui/menu/dropdown.tsx'
import { fileUrls, urls } from '../../urls.ts'
import { packageText, type YearSum } from '../zip/year-sum.ts'

type Props = {
  project: number
  /** The newest years of its files. */
  years: YearSum[]
  hasFiles: boolean
}

/** A menu of acts on a project, apart from uploading. Readers can only download it. */
export function ProjectMenu({ project, years, hasFiles }: Props) {
  const { role } = useFrame().user!
  const acts = officeItems(project, role)
  const all = acts.length > 0 ? 'Hent alle filer som ZIP' : 'Alle filer'
  const zips = hasFiles
    ? [
        { key: 'all', text: all, icon: FolderDown, href: fileUrls.zip({ project }) },
        ...yearItems(project, years, role),
      ]
    : []
  if (acts.length > 0)
    return <Dropdown label="Flere handlinger" icon={Ellipsis} iconOnly items={[...zips, ...acts]} />
  return zips.length > 0 && <Dropdown label="Hent som ZIP" icon={FolderDown} items={zips} />
}

function yearItems(project: number, years: YearSum[], role: Role): DropdownItem[] {
  return [
    ...years.map((each) => ({
      key: each.year,
      text: packageText(each),
      icon: Package,
      href: urls.projectPackage(project, each.year),
    })),
    ...(may(role, 'takeYears') && !may(role, 'seePapers')
      ? [{ key: 'packages', text: 'Årspakker for alle projekter', icon: Package, href: urls.yearPackages }]
      : []),
  ]
}

function officeItems(project: number, role: Role): DropdownItem[] {
  return [
    ...(may(role, 'changeFiles')
      ? [
          { key: 'readers', text: 'Hvem kan se det?', icon: Eye, href: urls.readers('project', project) },
          { key: 'trash', text: 'Papirkurv', icon: Trash2, href: urls.trash(project) },
        ]
      : []),
    ...(may(role, 'editProjects')
      ? [
          { key: 'edit', text: 'Rediger projekt', icon: Pencil, href: urls.editProject(project) },
          { key: 'folders', text: 'Rediger mapper', icon: FolderCog, href: urls.projectFolders(project) },
        ]
      : []),
  ]
}
