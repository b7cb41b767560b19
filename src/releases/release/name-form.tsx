import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { MOST_NAME } from './release-name.ts'
import type { Release } from './release.ts'

type Props = { release: Release; refused: RefusedForm | undefined }

/** Gives a release another name, folded until it is wanted. */
export function NameForm({ release: { id, name }, refused }: Props) {
  return (
    <details open={refused !== undefined} className="print:hidden">
      <summary className="w-fit cursor-pointer py-1 text-meta text-muted hover:text-ink pointer-coarse:py-3">
        Omdøb
      </summary>
      <Form
        action={urls.releaseAct(id, 'name')}
        submit="Gem"
        kind="secondary"
        beside={null}
        doneText="Udsendelsen har fået et andet navn."
        refused={refused}
        was={{ name }}
        className="mt-2 grid max-w-md gap-3"
      >
        <Field
          name="name"
          label="Navn"
          help="Kun kontoret ser det. Tomt: Ringbind laver et af papirerne."
          defaultValue={refused?.values.name ?? name}
          maxLength={MOST_NAME}
        />
      </Form>
    </details>
  )
}
