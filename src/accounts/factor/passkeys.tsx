import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { Passkey } from './factor.ts'
import { usePasskey } from './use-passkey.ts'

type PasskeysProps = {
  passkeys: Passkey[]
  mayAdd: boolean
  device: string
  refused: RefusedForm | undefined
  submit?: string
}

/** Lists a person's passkeys, and adds one. */
export function Passkeys({
  passkeys,
  mayAdd,
  device,
  refused,
  submit = 'Tilføj adgangsnøgle',
}: PasskeysProps) {
  const { isBusy, fault, make } = usePasskey()
  const [name, setName] = useState(device)
  const faults = fault ? [fault] : refused ? [refused.message] : []
  return (
    <>
      {passkeys.length > 0 && (
        <ul aria-label="Adgangsnøgler" className="mb-4 divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0">
              <KeyRound size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{passkey.name}</p>
                <p className="text-meta text-muted tabular-nums">
                  Tilføjet <ShortDate at={passkey.added_at} />
                  {passkey.used_at ? (
                    <>
                      , sidst brugt <ShortDate at={passkey.used_at} withTime />
                    </>
                  ) : (
                    ', ikke brugt endnu'
                  )}
                </p>
              </div>
              <Form
                action={urls.removePasskey(passkey.id)}
                submit="Fjern"
                loadingText="Fjerner…"
                doneText={`Adgangsnøglen ${passkey.name} er fjernet.`}
                kind="quiet"
                beside={null}
              />
            </li>
          ))}
        </ul>
      )}
      {mayAdd && (
        <form
          className="grid gap-4 noscript:hidden"
          onSubmit={(event) => {
            event.preventDefault()
            void make(name)
          }}
        >
          <Field
            name="name"
            label="Navn"
            help="For eksempel ”Min telefon”."
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className="flex justify-end">
            <Button
              type="submit"
              kind={passkeys.length > 0 ? 'secondary' : 'primary'}
              loading={isBusy}
              loadingText="Venter på din enhed…"
            >
              {submit}
            </Button>
          </div>
        </form>
      )}
      {faults.length > 0 && (
        <div role="alert">
          <Faults id="passkey-fault" faults={faults} />
        </div>
      )}
    </>
  )
}
