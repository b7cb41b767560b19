import { useState } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import { MOST_MESSAGE, type Release } from '../release/release.ts'

type Props = {
  release: Release
  /** Which files, bytes and folders the page shows. */
  papers: string
  /** Whether it is published as soon as it is approved. */
  isAtOnce: boolean
  refused: RefusedForm | undefined
}

/** Answers a colleague who asks for approval. */
export function ApprovalActs({ release, papers, isAtOnce, refused }: Props) {
  const [isRejecting, setRejecting] = useState(refused !== undefined)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <Form
          action={urls.releaseAct(release.id, 'approve')}
          submit="Godkend"
          loadingText="Godkender…"
          doneText={isAtOnce ? 'Filerne er godkendt og udgivet.' : 'Filerne er godkendt.'}
          beside={null}
        >
          <input type="hidden" name="publish_at" value={release.publish_at ?? ''} />
          <input type="hidden" name="papers" value={papers} />
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
          action={urls.releaseAct(release.id, 'reject')}
          submit="Afvis"
          loadingText="Afviser…"
          doneText={`Filerne er en kladde igen, og ${release.made_by} får besked.`}
          kind="secondary"
          beside={null}
          refused={refused}
          warnsBeforeLeaving
          className="grid max-w-md gap-4"
        >
          <TextArea
            name="rejection"
            label={`Besked til ${release.made_by}`}
            help="Skriv, hvad der skal rettes. Kun kontoret kan læse beskeden."
            defaultValue=""
            maxLength={MOST_MESSAGE}
          />
        </Form>
      </div>
    </div>
  )
}
