import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { ReleaseAct } from './release.ts'

type Props = {
  id: number
  act: ReleaseAct | 'sample'
  text: string
  loadingText: string
  doneText: string
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Identifies the files that the page shows. */
  papers?: string
}

/** A button that does something with a release. */
export function ReleaseActButton({
  id,
  act,
  text,
  loadingText,
  doneText,
  kind = 'secondary',
  papers,
}: Props) {
  return (
    <Form
      action={urls.releaseAct(id, act)}
      submit={text}
      loadingText={loadingText}
      doneText={doneText}
      kind={kind}
      beside={null}
    >
      {papers === undefined ? null : <input type="hidden" name="papers" value={papers} />}
    </Form>
  )
}

/** Withdraws a published upload before anybody is mailed about it. */
export const RegretButton = ({ id }: { id: number }) => (
  <ReleaseActButton
    id={id}
    act="regret"
    text="Fortryd hele uploaden"
    loadingText="Fortryder…"
    doneText="Papirerne ligger i papirkurven, og ingen får mail."
  />
)
