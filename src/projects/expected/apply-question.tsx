import { formatCount } from '../../base/danish/counts.ts'
import { Form } from '../../ui/form/form.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { urls } from '../../urls.ts'

export type TemplateState = {
  /** How much would change; null until somebody asks for it. */
  asks: { folders: number; projects: number } | null
  /** How many folders were changed a moment ago. */
  applied: number | null
}

/** Says what the template is for, and offers to give all projects its expectations; asks first. */
export function ApplyQuestion({ asks, applied }: TemplateState) {
  if (asks && asks.folders > 0)
    return (
      <section className="mb-6 grid max-w-[640px] gap-4 rounded-card border border-line bg-surface p-4 sm:p-6">
        <h2 className="text-section font-semibold">Brug forventningerne på alle projekter?</h2>
        <p>
          {countOf(asks.folders, 'mappe', 'mapper')} i {countOf(asks.projects, 'projekt', 'projekter')} får
          skabelonens forventninger. Rettelser i projekterne overskrives. Solgte projekter ændres ikke.
        </p>
        <Form
          action={urls.applyExpectations}
          submit="Brug på alle projekter"
          beside={
            <LinkButton kind="secondary" href={urls.templateFolders}>
              Annuller
            </LinkButton>
          }
        />
      </section>
    )
  return (
    <div className="-mt-4 mb-6 grid gap-4">
      <p className="text-muted">Nye projekter får disse mapper. Eksisterende projekter ændres ikke.</p>
      {asks && <p>Alle projekter har allerede skabelonens forventninger.</p>}
      {applied !== null && (
        <p className="rounded-control bg-ok-soft px-4 py-3 text-ok">
          {countOf(applied, 'mappe', 'mapper')} har fået skabelonens forventninger.
        </p>
      )}
      <div>
        <LinkButton kind="secondary" href={`${urls.templateFolders}?apply=1`}>
          Brug forventningerne på alle projekter
        </LinkButton>
      </div>
    </div>
  )
}

const countOf = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`
