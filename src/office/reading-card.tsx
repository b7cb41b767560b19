import type { ReactNode } from 'react'
import { formatCount } from '../base/danish/counts.ts'
import { urls } from '../urls.ts'
import type { ReadingState } from './reading-state.ts'

/** Shows how many documents can be searched by their words, and what is missing. */
export function ReadingCard({ reading }: { reading: ReadingState }) {
  const { isOn, read, waiting, failed, newestFailed, hasPdfReader } = reading
  return (
    <div className="grid gap-4">
      <p className="text-muted">Teksten i PDF, Word, Excel, tekstfiler og e-mails kan søges frem.</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <Fact name="Læst">{filesText(read)}</Fact>
        <Fact name="Venter">{filesText(waiting)}</Fact>
        <Fact name="Kunne ikke læses">{filesText(failed)}</Fact>
        <Fact name="Scannede sider">{scansText(reading)}</Fact>
      </dl>
      {!isOn && <p>Intet læses nu. Det er slået fra på serveren (READ_DOCUMENTS).</p>}
      {isOn && !hasPdfReader && (
        <p className="text-muted">PDF-filer læses hurtigere med pakken poppler-utils på serveren.</p>
      )}
      {newestFailed.length > 0 && (
        <section aria-label="Kunne ikke læses">
          <h3 className="mb-1 font-semibold">
            {failed > newestFailed.length ? 'De seneste, der ikke kunne læses' : 'Kunne ikke læses'}
          </h3>
          <ul className="grid gap-2">
            {newestFailed.map(({ id, name, reason }) => (
              <li key={id} className="wrap-anywhere">
                <a href={urls.fileHistory(id)} className="text-accent underline-offset-2 hover:underline">
                  {name}
                </a>
                <span className="block text-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const filesText = (count: number) => (count === 1 ? '1 fil' : `${formatCount(count)} filer`)

function scansText({ isOn, scans: { state, waiting } }: ReadingState): string {
  if (!isOn || state === 'off') return 'Læses ikke. Det er slået fra på serveren (READ_SCANS).'
  if (state === 'missing')
    return 'Læses ikke. Det kræver pakkerne tesseract-ocr og tesseract-ocr-dan på serveren.'
  return waiting === 0 ? 'Læses' : `Læses, når alt andet er læst. ${filesText(waiting)} venter.`
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
