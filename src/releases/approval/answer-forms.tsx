import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { MOST_MESSAGE } from '../release/release.ts'

type Props = {
  addressOf: (answer: 'approve' | 'reject') => string
  approvedText: string
  rejectedText: string
  /** Who has asked, and gets the message. */
  asker: string
  help: string
  className: string
  refused?: RefusedForm | undefined
  warnsBeforeLeaving?: boolean
  /** What an approval sends along. */
  children?: ReactNode
}

/** Approves what a colleague asks for, or rejects it with a message. */
export function AnswerForms({
  addressOf,
  approvedText,
  rejectedText,
  asker,
  help,
  className,
  refused,
  warnsBeforeLeaving = false,
  children = null,
}: Props) {
  const [isRejecting, setRejecting] = useState(refused !== undefined)
  return (
    <div className={className}>
      <div className="flex flex-wrap items-start gap-3">
        <Form
          action={addressOf('approve')}
          submit="Godkend"
          loadingText="Godkender…"
          doneText={approvedText}
          beside={null}
        >
          {children}
        </Form>
        <span className="noscript:hidden">
          <Button
            type="button"
            kind="secondary"
            aria-expanded={isRejecting}
            onClick={() => setRejecting(!isRejecting)}
          >
            Afvis med besked
          </Button>
        </span>
      </div>
      <div className={isRejecting ? '' : 'hidden noscript:block'}>
        <Form
          action={addressOf('reject')}
          submit="Afvis"
          loadingText="Afviser…"
          doneText={rejectedText}
          kind="secondary"
          beside={null}
          refused={refused}
          warnsBeforeLeaving={warnsBeforeLeaving}
          className="grid max-w-md gap-4"
        >
          <TextArea
            name="rejection"
            label={`Besked til ${asker}`}
            help={help}
            defaultValue=""
            maxLength={MOST_MESSAGE}
          />
        </Form>
      </div>
    </div>
  )
}
