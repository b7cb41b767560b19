import { Check, Copy } from 'lucide-react'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { useFlash } from '../ui/form/use-flash.ts'

/** A command or an answer, unchanged, with a button that copies it. */
export function Code({ text }: { text: string }) {
  const { isFlashing, startFlash } = useFlash()

  async function copy(): Promise<void> {
    // Without https the browser gives no clipboard. The text can then be copied by hand.
    await navigator.clipboard?.writeText(text)
    if (navigator.clipboard) startFlash()
  }

  return (
    <div className="flex items-start gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
      <pre
        translate="no"
        className="min-w-0 flex-1 py-2 font-mono text-meta whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
      <span className="noscript:hidden">
        <IconButton
          label={isFlashing ? 'Kopieret' : 'Kopier'}
          icon={isFlashing ? Check : Copy}
          onClick={() => void copy()}
        />
      </span>
    </div>
  )
}
