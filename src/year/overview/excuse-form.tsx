import type { ReactNode } from 'react'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import type { OverviewCell } from './overview.ts'
import { MOST_EXCUSE_LETTERS } from './paper.ts'

type Props = {
  cell: OverviewCell
  /** The end of the address of the overview that it leads back to. */
  query: string
  beside?: ReactNode
  refused?: RefusedForm | undefined
  onDone?: () => void
}

/** Asks why a paper will not come. */
export function ExcuseForm({
  cell: { folder, period, excuse },
  query,
  beside = null,
  refused,
  onDone,
}: Props) {
  return (
    <Form
      action={urls.excusePaper(folder, period)}
      submit="Undtag"
      beside={beside}
      doneText="Papiret er undtaget."
      refused={refused}
      was={{ excuse }}
      {...(onDone && { onDone })}
    >
      <input type="hidden" name="back" value={query} />
      <TextArea
        name="excuse"
        label="Hvorfor kommer der intet papir?"
        help="Kun kontoret kan læse begrundelsen. Papiret tæller ikke længere som manglende."
        defaultValue={excuse ?? ''}
        maxLength={MOST_EXCUSE_LETTERS}
      />
    </Form>
  )
}

/** Takes an excuse back. */
export function ExpectForm({ cell: { folder, period }, query, beside = null, onDone }: Props) {
  return (
    <Form
      action={urls.expectPaper(folder, period)}
      submit="Forvent papiret igen"
      kind="secondary"
      beside={beside}
      doneText="Papiret forventes igen."
      {...(onDone && { onDone })}
    >
      <input type="hidden" name="back" value={query} />
    </Form>
  )
}
