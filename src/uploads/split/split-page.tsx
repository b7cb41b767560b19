import { ErrorState } from '../../ui/basic/error-state.tsx'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { countPages } from './pdf/page-ranges.ts'
import { SplitForm } from './split-form.tsx'
import { useSentPdf } from './use-sent-pdf.ts'

/** Divides a PDF that was sent to the upload page into a file for each investor. */
export function SplitPage({ sent }: { sent: string }) {
  const { reading, isReading, fault, again } = useSentPdf(sent)
  return (
    <Shell title="Del og fordel" crumbs={[{ text: 'Upload', href: urls.upload }]}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="-mt-2 text-muted sm:-mt-4">
          Én PDF bliver til én fil til hver investor. Ret forslagene, før du gemmer.
        </p>
        <noscript>
          <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
            Slå JavaScript til for at dele en PDF.
          </p>
        </noscript>
        {fault !== null && <ErrorState message={fault} onRetry={again} />}
        {isReading && <ProgressBar label="Læser siderne" />}
        <output className="sr-only">
          {isReading ? 'Læser siderne.' : reading ? `${countPages(reading.pages.length)} er læst.` : ''}
        </output>
        {reading && <SplitForm hashName={sent} reading={reading} />}
      </div>
    </Shell>
  )
}
