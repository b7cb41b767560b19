import type { RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { Release } from '../release/release.ts'
import { AnswerForms } from './answer-forms.tsx'

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
  return (
    <AnswerForms
      addressOf={(answer) => urls.releaseAct(release.id, answer)}
      approvedText={isAtOnce ? 'Papirerne er godkendt og udgivet.' : 'Papirerne er godkendt.'}
      rejectedText={`Papirerne er en kladde igen, og ${release.made_by} får besked.`}
      asker={release.made_by}
      help="Skriv, hvad der skal rettes. Kun kontoret kan læse beskeden."
      className="grid gap-4"
      refused={refused}
      warnsBeforeLeaving
    >
      <input type="hidden" name="publish_at" value={release.publish_at ?? ''} />
      <input type="hidden" name="papers" value={papers} />
    </AnswerForms>
  )
}
