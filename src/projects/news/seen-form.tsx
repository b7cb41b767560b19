import { Form } from '../../ui/form/form.tsx'

type Props = {
  action: string
  /** When the page was made. The user has not seen later files. */
  until: string
}

/** Marks everything as read. */
export function SeenForm({ action, until }: Props) {
  return (
    <Form
      action={action}
      submit="Marker alle som læst"
      kind="secondary"
      loadingText="Markerer…"
      doneText="Alt er markeret som læst."
      className="contents"
    >
      <input type="hidden" name="until" value={until} />
    </Form>
  )
}
