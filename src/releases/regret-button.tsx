import { Form } from '../ui/form/form.tsx'
import { urls } from '../urls.ts'

/** Takes back a published upload before anybody is told of it. */
export function RegretButton({ id }: { id: number }) {
  return (
    <Form
      action={urls.releaseAct(id, 'regret')}
      submit="Fortryd hele uploaden"
      loadingText="Fortryder…"
      said="Filerne ligger i papirkurven, og ingen får besked."
      kind="secondary"
      beside={null}
    >
      {null}
    </Form>
  )
}
