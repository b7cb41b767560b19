import type { Project } from '../projects/project/project.ts'
import { PickManyField } from '../ui/form/pick-many-field.tsx'
import { urls } from '../urls.ts'

/** Edits the projects that a person is a member of. */
export function ProjectsField({ projects }: { projects: readonly Project[] }) {
  return (
    <PickManyField<Project>
      legend="Projekter"
      help="Investorer ser delte mapper, revisorer alle."
      none="Ingen projekter endnu."
      label="Tilføj projekt"
      placeholder="Nummer eller navn"
      foundLabel="Fundne projekter"
      failed="Projekterne kunne ikke hentes. Skriv et projektnummer, og gem."
      route={urls.listProjects}
      rows={projects}
      names={{ add: 'add_projects', remove: 'remove_projects', text: 'add_project' }}
      titleOf={({ number, name }) => `${number} ${name}`}
      hintOf={() => ''}
      whyNot={() => null}
      isThere="er valgt"
      isExactly={({ number }, text) => number === text}
    />
  )
}
