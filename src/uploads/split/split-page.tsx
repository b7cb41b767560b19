import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/counts.ts'
import { ErrorState } from '../../ui/basic/error-state.tsx'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import { Dropzone } from '../../ui/drag/dropzone.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { Limits } from '../transport/upload.ts'
import { countPages } from './pdf/page-ranges.ts'
import { SplitForm } from './split-form.tsx'
import { useSentPdf } from './use-sent-pdf.ts'

type SplitPageProps = {
  /** A PDF that was sent already, from another form. */
  sent: string | null
  limits: Limits
  /** The most pages of a PDF. */
  most: number
  isDirect: boolean
}

/** Divides one PDF into a file for each investor. */
export function SplitPage({ sent, limits, most, isDirect }: SplitPageProps) {
  const { reading, hashName, isReading, upload, fault, choose, again } = useSentPdf({
    sent,
    limits,
    isDirect,
  })
  const isSending =
    upload !== null && upload.state !== 'failed' && upload.state !== 'sent' && upload.refusal === null
  return (
    <Shell title="Del og fordel" crumbs={[{ text: 'Upload', href: urls.upload }]}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="-mt-2 text-muted sm:-mt-4">
          Én PDF med sider til mange investorer bliver til én fil til hver. Ringbind foreslår, hvem siderne er
          til, og du retter, før noget gemmes.
        </p>
        <noscript>
          <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
            Slå JavaScript til i din browser for at dele en PDF.
          </p>
        </noscript>
        {!reading && (
          <Dropzone
            onFiles={choose}
            message="Træk PDF'en hertil."
            accept=".pdf,application/pdf"
            isCompact={upload !== null || isReading}
            isWholePage
            hint={`Én PDF på højst ${formatCount(most)} sider og ${formatBytes(limits.bytes)}.`}
          />
        )}
        {fault !== null && <ErrorState message={fault} onRetry={again} />}
        {isSending && <ProgressBar label={`Sender ${upload.name}`} value={upload.done / upload.size} />}
        {isReading && <ProgressBar label="Læser siderne" />}
        <output className="sr-only">
          {isReading ? 'Læser siderne.' : reading ? `${countPages(reading.pages.length)} er læst.` : ''}
        </output>
        {reading && hashName !== null && <SplitForm key={hashName} hashName={hashName} reading={reading} />}
      </div>
    </Shell>
  )
}
