import type { FileOwner } from '../../access/reader.ts'
import { periodKeyText } from '../../base/time/period.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import type { ActAnswer } from '../screen/post-act.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import type { ListedFile } from '../file/stored-file.ts'

type Answer = ActAnswer & Pick<ListedFile, 'period' | 'is_period_given'>

/** The file, and what to do with it after its period has changed. */
export type PeriodSubject = { picked: Picked; after?: ((file: ListedFile) => void) | undefined }

type Props = {
  owner: FileOwner
  /** Whether years are written '2024/25'. */
  crossesNewYear: boolean
  onChanged: (picked: Picked, changed: { undo: string | null; said: string }) => void
}

/** Corrects the period of a file whose name has a wrong one or none. */
export function PeriodModal({ owner, crossesNewYear, onChanged }: Props) {
  function done({ picked, after }: PeriodSubject, answer: Answer): void {
    modals.close('period')
    const { undo = null, period, is_period_given: isGiven } = answer
    after?.({ ...picked.file, period, is_period_given: isGiven })
    const said = periodKeyText(period, crossesNewYear)
    const { name } = picked.file
    onChanged(picked, { undo, said: said ? `${name} hører til ${said}.` : `${name} har ingen periode.` })
  }

  async function takeNamed(subject: PeriodSubject): Promise<void> {
    const url = fileUrls.period(owner, subject.picked.file.id)
    const response = await orNull(send('POST', url, jsonBody({ as_named: true })))
    const answer = response && (await orNull(readJson<Answer>(response)))
    if (response?.ok && answer) return done(subject, answer)
    return showToast(answer?.message ?? OFFLINE, { kind: 'fault' })
  }

  return (
    <Modal<PeriodSubject> name="period" title={({ picked }) => `Ret periode for ${picked.file.name}`}>
      {(subject) => (
        <Form
          action={fileUrls.period(owner, subject.picked.file.id)}
          submit="Gem"
          was={{ period: subject.picked.file.period }}
          beside={
            <>
              {subject.picked.file.is_period_given && (
                <Button type="button" kind="secondary" onClick={() => void takeNamed(subject)}>
                  Som i navnet
                </Button>
              )}
              <CancelButton />
            </>
          }
          onDone={(answer) => done(subject, answer as Answer)}
        >
          <Field
            name="period"
            label="Periode"
            help="For eksempel 2025, 2024/25, Q3 2026 eller 1. halvår 2026. Tomt: ingen periode."
            defaultValue={periodKeyText(subject.picked.file.period, crossesNewYear)}
            autoComplete="off"
            maxLength={40}
          />
        </Form>
      )}
    </Modal>
  )
}
