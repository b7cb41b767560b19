import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'

export type NewAppProps = {
  /** Its secret to type, the address that opens it, and the squares of its QR code. */
  app: { text: string; address: string; squares: { size: number; path: string } }
  kind: 'primary' | 'secondary'
  refused: RefusedForm | undefined
}

export function NewApp({ app, kind, refused }: NewAppProps) {
  const { size, path } = app.squares
  return (
    <>
      <p className="mb-4 text-muted">
        Scan koden med en app som Microsoft Authenticator, og skriv de seks cifre.
      </p>
      <div className="mb-4 flex flex-wrap items-start gap-6">
        <svg
          aria-label="QR-kode til din app"
          viewBox={`-4 -4 ${size + 8} ${size + 8}`}
          shapeRendering="crispEdges"
          className="w-44 shrink-0 rounded-control border border-line"
        >
          <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">Kan du ikke scanne koden?</p>
          <p className="mb-1 text-meta text-muted">Åbn appen herfra, eller skriv nøglen i den:</p>
          <code className="wrap-anywhere select-all">{app.text}</code>
          <div className="mt-3 flex flex-wrap gap-3">
            <LinkButton kind="secondary" href={app.address}>
              Åbn appen
            </LinkButton>
            <CopyButton text={app.text.replaceAll(' ', '')} />
          </div>
        </div>
      </div>
      <Form
        action={urls.codeApp}
        submit="Tilføj appen"
        kind={kind}
        loadingText="Tilføjer…"
        doneText="Appen er tilføjet."
        beside={null}
        refused={refused}
      >
        <Field
          name="code"
          label="Koden fra appen"
          inputMode="numeric"
          autoComplete="one-time-code"
          defaultValue=""
          size={10}
        />
      </Form>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    // Without https the browser gives no clipboard; the text can be marked and copied by hand.
    await navigator.clipboard?.writeText(text)
    setCopied(Boolean(navigator.clipboard))
  }
  return (
    <span className="noscript:hidden">
      <Button type="button" kind="secondary" onClick={() => void copy()}>
        {isCopied ? 'Kopieret' : 'Kopier nøglen'}
      </Button>
    </span>
  )
}

export function AddedApp({ at, refused }: { at: string; refused: RefusedForm | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Smartphone size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1">
        Tilføjet <ShortDate at={at} />
      </p>
      <Form
        action={urls.removeCodeApp}
        submit="Fjern"
        loadingText="Fjerner…"
        doneText="Appen er fjernet."
        kind="quiet"
        beside={null}
        refused={refused}
      />
    </div>
  )
}
