import { formatCount } from '../../base/danish/counts.ts'
import { FollowedField } from '../../projects/expected/followed-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'

/** From when the projects that are there are followed, however they have come. */
export function Following({ projects, today }: { projects: number; today: string }) {
  return (
    <section aria-labelledby="following">
      <h2 id="following" className="mt-8 mb-3 text-section font-semibold">
        Projekter, der allerede er her
      </h2>
      <div className="max-w-[720px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <Form
          action={urls.followAll}
          submit={
            projects === 1 ? 'Sæt for det ene projekt' : `Sæt for alle ${formatCount(projects)} projekter`
          }
          doneText="Projekterne følges nu fra det, du valgte."
          kind="secondary"
          beside={null}
          className="grid gap-4"
        >
          <input type="hidden" name="count" value={projects} />
          <FollowedField today={today} />
        </Form>
      </div>
    </section>
  )
}
