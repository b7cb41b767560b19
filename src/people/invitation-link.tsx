import { useId, useRef, useState } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'

/** Tells an administrator why a page that sends mails does not. */
export const NO_MAIL = 'Ringbind sender ingen mails, fordi der ikke er sat en mailserver op (SMTP_URL).'

/** A link to pass on: to accept an invitation, or to choose a new password. */
export type GivenLink = { kind: 'invitation' | 'reset'; link: string }

const HEADS = {
  invitation: 'Invitationen er ikke sendt som mail',
  reset: 'Linket til en ny adgangskode er ikke sendt som mail',
}
const TIMES = { invitation: '14 dage', reset: '24 timer' }

/** Shows the link once, if no mail can be sent. */
export function InvitationLink({ kind, link, name }: GivenLink & { name: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    field.current?.select()
    // Without https the browser gives no clipboard. The selected text can then be copied by hand.
    await navigator.clipboard?.writeText(link)
    setCopied(Boolean(navigator.clipboard))
  }

  return (
    <section
      aria-labelledby={`${id}-head`}
      className="rounded-card border border-warn bg-warn-soft p-4 text-ink"
    >
      <h2 id={`${id}-head`} className="text-section font-semibold">
        {HEADS[kind]}
      </h2>
      <p className="mt-1">
        <label htmlFor={id}>
          Ringbind kan ikke sende mails. Giv selv linket videre til {name}. Det virker i {TIMES[kind]}, kan
          bruges én gang og vises kun nu. Den, der har linket, kan vælge adgangskoden.
        </label>
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <input
          ref={field}
          id={id}
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          className={`${INPUT_LOOK} min-w-0 flex-1 basis-64`}
        />
        <span className="noscript:hidden">
          <Button type="button" kind="secondary" onClick={() => void copy()}>
            {isCopied ? 'Kopieret' : 'Kopier link'}
          </Button>
        </span>
      </div>
    </section>
  )
}
