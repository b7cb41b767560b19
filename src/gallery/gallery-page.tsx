import type { ReactNode } from 'react'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { Toasts } from '../ui/toast.tsx'
import { showToast } from '../ui/toasts.ts'
import { urls } from '../urls.ts'

/** Every component in every state, for whoever changes one and for the browser tests. */
export function GalleryPage() {
  return (
    <PageFrame width="max-w-[720px]">
      <h1 className="text-title font-semibold">Galleri</h1>
      <Example title="Brødkrumme">
        <Breadcrumbs crumbs={[{ text: 'Projekter', href: '#projekter' }]} title="K/S Nordhavn Kontorhus" />
      </Example>
      <Example title="Knapper">
        <Button>Primær</Button>
        <Button kind="secondary">Sekundær</Button>
        <Button kind="quiet">Stille</Button>
        <Button kind="danger">Slet</Button>
        <Button loading>Gem</Button>
        <Button flash="Gemt">Gem</Button>
      </Example>
      <Example title="Formular, der bliver på siden">
        <div className="w-full max-w-[360px]">
          <Form action={urls.gallery} submit="Gem" flash="Gemt">
            <Field name="name" label="Navn" help="Lad feltet stå tomt for at se en fejl." />
            <Field name="note" label="Bemærkning" />
          </Form>
        </div>
      </Example>
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
      <Toasts />
    </PageFrame>
  )
}

function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h2 className="mb-3 text-section font-semibold">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}
