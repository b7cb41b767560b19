import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../basic/button.tsx'
import { useFrame } from '../basic/frame.ts'
import { CancelButton, Modal } from '../overlay/modal.tsx'
import { modals } from '../overlay/modals.ts'
import { Form } from './form.tsx'

type Props = {
  /** The modal's name, of which a page has one. */
  name: string
  action: string
  /** The button's text, also in the question. */
  submit: string
  kind: ButtonKind
  className?: string
  title: string
  /** Says what the button will do. */
  text: ReactNode
  /** The button of the question. */
  answer?: ButtonKind
  loadingText: string
  /** A message for the next page. */
  doneText?: string
}

/** A button that asks before it acts. Without JavaScript it acts at once, so use it for what can be taken back or repeated. */
export function AskedForm({
  name,
  action,
  submit,
  kind,
  className,
  title,
  text,
  answer = 'primary',
  loadingText,
  doneText,
}: Props) {
  const { token } = useFrame()
  return (
    <>
      <form
        method="post"
        action={action}
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          modals.open(name)
        }}
      >
        <input type="hidden" name="_token" value={token} />
        <Button type="submit" kind={kind} aria-haspopup="dialog">
          {submit}
        </Button>
      </form>
      <Modal name={name} title={title}>
        <p className="mb-6 text-muted">{text}</p>
        <Form
          action={action}
          submit={submit}
          loadingText={loadingText}
          kind={answer}
          beside={<CancelButton />}
          {...(doneText !== undefined && { doneText })}
        />
      </Modal>
    </>
  )
}
