import { refreshPage } from '../../ui/basic/next-page.ts'
import { periodKeyText } from '../../base/time/period.ts'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { attempt } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { ExcuseForm } from '../obligations/excuse-form.tsx'
import { type OverviewCell, type OverviewRow } from './overview.ts'

export const EXCUSE_MODAL = 'excuse'

type Subject = { row: OverviewRow; cell: OverviewCell }

/** Excuses a paper that will not come, or shows why it was excused. Without JavaScript the paper's own page does so. */
export function ExcuseModal() {
  return (
    <Modal<Subject>
      name={EXCUSE_MODAL}
      title={({ cell }) => `${cell.name} ${periodKeyText(cell.period, cell.crosses_new_year)}`}
    >
      {({ row, cell }) => (
        <div className="grid gap-4">
          <p className="text-muted">
            {row.number} {row.name}
          </p>
          {cell.excuse !== null && <p className="whitespace-pre-line">{cell.excuse}</p>}
          <ExcuseForm
            duty={cell.duty!}
            excuse={cell.excuse}
            beside={<CancelButton />}
            onDone={() =>
              cell.excuse === null
                ? over('Undtaget.', () => void takeBack(cell))
                : over('Det forventes igen.')
            }
          />
        </div>
      )}
    </Modal>
  )
}

/** Closes it and shows what has changed. */
function over(text: string, undo?: () => void): void {
  modals.close(EXCUSE_MODAL)
  showToast(text, { ...(undo && { action: { text: 'Fortryd', run: undo } }) })
  void refreshNow()
}

const refreshNow = () => refreshPage({ newest: (fetchIt) => fetchIt() })

async function takeBack({ duty }: OverviewCell): Promise<void> {
  const { fault } = await attempt('POST', urls.dutyAct(duty!, 'expect'))
  if (fault === null) showToast('Det forventes igen.')
  else showToast(fault, { kind: 'fault' })
  await refreshNow()
}
