import { Form } from '../ui/form/form.tsx'

type Props = {
  action: string
  /** When the page was made: what came later has not been seen. */
  until: string
}

/** Calls everything read. */
export function SeenForm({ action, until }: Props) {
  return (
    <Form
      action={action}
      submit="Marker alle som læst"
      kind="secondary"
      loadingText="Markerer…"
      said="Alt er markeret som læst."
      className="contents"
    >
      <input type="hidden" name="until" value={until} />
    </Form>
  )
}
