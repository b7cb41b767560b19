import { Building2, Folder, UserRound, type LucideIcon } from 'lucide-react'
import { ROLE_NAMES } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { urls } from '../urls.ts'
import { folderHref, personHref, projectText } from './answer/places.ts'
import type { Places } from './answer/search-answer.ts'

/** The projects, folders and people that were found. */
export function FoundPlaces({ places: { projects, folders, people } }: { places: Places }) {
  const reader = useFrame().user!
  const found: Found[] = [
    ...projects.map((project) => ({
      key: `project-${project.id}`,
      icon: Building2,
      text: projectText(project),
      hint: 'Projekt',
      href: urls.files(project.id),
    })),
    ...folders.map(({ id, name, project }) => ({
      key: `folder-${id}`,
      icon: Folder,
      text: name,
      hint: projectText(project),
      href: folderHref(project.id, id),
    })),
    ...people.map((person) => ({
      key: `person-${person.id}`,
      icon: UserRound,
      text: person.name,
      hint: [ROLE_NAMES[person.role], ...person.numbers].join(' · '),
      href: personHref(reader, person),
    })),
  ]
  if (found.length === 0) return null
  return (
    <section aria-label="Projekter, mapper og personer">
      <ul className="grid gap-2 min-[560px]:grid-cols-2 @list:grid-cols-3">
        {found.map(({ key, icon: Icon, text, hint, href }) => (
          <li key={key}>
            <a
              href={href}
              className="flex h-full min-h-11 items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 hover:bg-hover"
            >
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
              <span className="grid min-w-0">
                <span className="font-medium wrap-anywhere">{text}</span>
                <span className="text-meta text-muted wrap-anywhere">{hint}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Found = { key: string; icon: LucideIcon; text: string; hint: string; href: string }
