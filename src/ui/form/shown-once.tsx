import { useId, useRef, useState, type ReactNode } from 'react'
import { Button } from '../basic/button.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'

type ShownOnceProps = {
  head: string
  /** Instructions for the secret; the label of its field. */
  children: ReactNode
  secret: string
  /** 'Kopier nøglen' */
  copyText: string
  isWarning?: boolean
}

/** Shows a secret that cannot be seen again: a key, or an address that is its own proof. */
export function ShownOnce({ head, children, secret, copyText, isWarning = false }: ShownOnceProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    field.current?.select()
    // Without https the browser gives no clipboard. The selected text can then be copied by hand.
    await navigator.clipboard?.writeText(secret)
    setCopied(Boolean(navigator.clipboard))
  }

  return (
    <section
      aria-labelledby={`${id}-head`}
      className={`rounded-card border p-4 text-ink sm:p-6 ${isWarning ? 'border-warn bg-warn-soft' : 'border-accent bg-accent-soft'}`}
    >
      <h2 id={`${id}-head`} className="text-section font-semibold wrap-anywhere">
        {head}
      </h2>
      <p className="mt-1">
        <label htmlFor={id}>{children}</label>
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <input
          ref={field}
          id={id}
          readOnly
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
          className={`${INPUT_LOOK} min-w-0 flex-1 basis-64`}
        />
        <span className="noscript:hidden">
          <Button type="button" kind="secondary" onClick={() => void copy()}>
            {isCopied ? 'Kopieret' : copyText}
          </Button>
        </span>
      </div>
    </section>
  )
}
