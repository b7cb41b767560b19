import { Breadcrumbs } from '../ui/shell/breadcrumbs.tsx'
import { Button } from '../ui/basic/button.tsx'
import { PageFrame } from '../ui/shell/page-frame.tsx'
import { Toasts } from '../ui/overlay/toast.tsx'
import { showToast } from '../ui/overlay/toasts.ts'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { DragExamples } from './drag-examples.tsx'
import { Example } from './example.tsx'
import { FormExamples } from './form-examples.tsx'
import { MenuExamples } from './menu-examples.tsx'
import { ModalExamples } from './modal-examples.tsx'
import { StateExamples } from './state-examples.tsx'
import { TableExamples } from './table-examples.tsx'

/** Shows every component in every state, for people who change one and for the browser tests. */
export function GalleryPage() {
  return (
    <PageFrame width="max-w-[1120px]">
      <h1 className="text-title font-semibold">Galleri</h1>
      <Example title="Brødkrumme">
        <Breadcrumbs crumbs={[{ text: 'Projekter', href: '#projekter' }]} title="K/S Nordhavn Kontorhus" />
      </Example>
      <FormExamples />
      <Example title="Beskeder">
        <Button kind="secondary" onClick={() => showToast('Filen er flyttet.')}>
          Vis besked
        </Button>
        <Button kind="secondary" onClick={() => showToast('Filen kunne ikke hentes.', { kind: 'fault' })}>
          Vis fejl
        </Button>
        <Button
          kind="secondary"
          onClick={() =>
            showToast('Filen er slettet.', {
              action: { text: 'Fortryd', run: () => showToast('Filen er tilbage.') },
            })
          }
        >
          Vis med fortryd
        </Button>
      </Example>
      <ModalExamples />
      <MenuExamples />
      <StateExamples />
      <DragExamples />
      <TableExamples />
      <Toasts />
      <Tooltip />
    </PageFrame>
  )
}
