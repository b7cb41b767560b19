import { useState } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { CancelButton, Modal } from '../ui/overlay/modal.tsx'
import { modals } from '../ui/overlay/modals.ts'
import { showToast } from '../ui/overlay/toasts.ts'
import { urls } from '../urls.ts'
import { Example } from './example.tsx'

const FILES = ['Årsrapport (1042) 2024.pdf', 'Budget (1042) 2025.pdf']

export function ModalExamples() {
  const [files, setFiles] = useState(FILES)
  return (
    <Example title="Vinduer">
      <Button kind="secondary" onClick={() => modals.open('gallery-form')}>
        Åbn formular
      </Button>
      {files.map((file) => (
        <Button key={file} kind="danger" onClick={() => modals.open('gallery-delete', file)}>
          Slet {file}
        </Button>
      ))}
      <Button kind="secondary" onClick={() => modals.open('gallery-long')}>
        Åbn lang tekst
      </Button>

      <Modal name="gallery-form" title="Nyt projekt">
        <Form
          action={urls.gallery}
          submit="Opret"
          loadingText="Opretter…"
          beside={<CancelButton />}
          onDone={() => {
            modals.close('gallery-form')
            showToast('Projektet er oprettet.')
          }}
        >
          <Field name="name" label="Navn" />
          <label className="grid gap-1 font-medium">
            Beskrivelse
            <textarea
              name="text"
              rows={3}
              className="rounded-control border border-line-strong bg-surface px-3 py-2 font-normal"
            />
          </label>
          <label className="grid gap-1 font-medium">
            Status
            <select
              name="status"
              className="min-h-9 rounded-control border border-line-strong bg-surface px-3 font-normal"
            >
              <option>Aktivt</option>
              <option>Afsluttet</option>
            </select>
          </label>
          <label className="flex items-center gap-2">
            <input type="checkbox" name="shared" /> Del med investorerne
          </label>
          <a href="#hjaelp" className="justify-self-start text-accent underline">
            Hvad er et projekt?
          </a>
        </Form>
      </Modal>

      <Modal<string> name="gallery-delete" title={(file) => `Slet ${file}?`}>
        {(file) => (
          <div className="grid gap-4">
            <p>Filen forsvinder for alle. Det kan ikke fortrydes.</p>
            <div className="flex flex-wrap justify-end gap-3">
              <CancelButton />
              <Button
                kind="danger"
                onClick={() => {
                  setFiles(files.filter((each) => each !== file))
                  modals.close('gallery-delete')
                }}
              >
                Slet fil
              </Button>
            </div>
          </div>
        )}
      </Modal>

      <Modal
        name="gallery-long"
        title="Vilkår for brug af projektets dokumenter, som alle deltagere har adgang til"
      >
        <div className="grid gap-3">
          {Array.from({ length: 24 }, (_, index) => (
            <p key={index}>
              § {index + 1}. Dokumenterne må kun bruges til det formål, de er delt til, og ikke gives videre
              til andre.
            </p>
          ))}
        </div>
      </Modal>
    </Example>
  )
}
