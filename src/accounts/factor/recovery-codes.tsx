import { useState } from 'react'
import { Button } from '../../ui/basic/button.tsx'

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    // Without https the browser gives no clipboard. The codes can then be copied by hand.
    await navigator.clipboard?.writeText(codes.join('\n'))
    setCopied(Boolean(navigator.clipboard))
  }

  return (
    <section
      aria-labelledby="new-codes"
      className="rounded-card border border-warn bg-warn-soft p-4 text-ink sm:p-6"
    >
      <h2 id="new-codes" className="text-section font-semibold">
        Gem dine nødkoder
      </h2>
      <p className="mt-1">
        De vises kun nu. Gem dem et andet sted end på telefonen. Hver kode virker én gang.
      </p>
      <ul
        aria-label="Nødkoder"
        className="my-4 grid grid-cols-1 gap-x-6 gap-y-1 font-mono tabular-nums min-[420px]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 noscript:hidden print:hidden">
        <Button type="button" kind="secondary" onClick={() => void copy()}>
          {isCopied ? 'Kopieret' : 'Kopier koderne'}
        </Button>
        <Button type="button" kind="secondary" onClick={() => print()}>
          Udskriv
        </Button>
      </div>
    </section>
  )
}
