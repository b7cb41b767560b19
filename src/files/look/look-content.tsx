import { Download, ExternalLink } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { Button } from '../../ui/basic/button.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { fileUrls } from '../../urls.ts'
import { whenFollowed } from '../content/use-read-files.ts'
import type { ListedFile } from '../file/stored-file.ts'
import { LookDetails } from './look-details.tsx'
import { wayToShow } from './look.ts'
import { useLook } from './use-look.ts'

type LookedFile = Pick<ListedFile, 'id' | 'name' | 'path' | 'mime'> &
  Partial<Pick<ListedFile, 'period' | 'is_period_given'>>

type Props = {
  owner: FileOwner
  file: LookedFile
  /** Shows these bytes instead of those that the file shows: a version that waits. */
  version?: number | null
  onRead: () => void
  /** The end of the address at which a PDF is opened: '#page=4'. */
  at?: string
  /** Stands above the document. */
  above?: ReactNode
  /** More buttons for the file. */
  acts?: ReactNode
}

/** The document, the actions on it, and the facts about it. Use a new key for each file. */
export function LookContent({ owner, file: known, version = null, onRead, at = '', above, acts }: Props) {
  const { answer, again } = useLook(owner, known.id, `${known.period} ${known.is_period_given}`)
  const file = (version === null && answer?.facts?.file) || known
  const ways = waysTo(owner, file, version)
  const end = wayToShow(file) === 'pdf' ? at : ''
  const reading = whenFollowed(onRead)

  return (
    <>
      {above}
      <div className="look-content">
        {answer?.fault ? (
          <div
            role="alert"
            className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center"
          >
            <p>{answer.fault}</p>
            <Button type="button" kind="secondary" onClick={again}>
              Prøv igen
            </Button>
          </div>
        ) : answer?.facts ? (
          <ShownDocument
            key={end}
            owner={owner}
            file={file}
            address={ways.show}
            at={end}
            hasThumbnail={version === null && answer.facts.has_thumbnail}
            onRead={onRead}
          />
        ) : (
          <Waiting />
        )}
      </div>
      <div className="look-facts grid gap-4 border-t border-line px-4 py-4">
        {!answer?.fault && (
          <div className="flex flex-wrap gap-2">
            <LinkButton
              kind="secondary"
              icon={ExternalLink}
              href={ways.open + end}
              {...IN_NEW_TAB}
              {...reading}
            >
              Åbn i ny fane
            </LinkButton>
            <LinkButton kind="secondary" icon={Download} href={ways.download} {...reading}>
              Hent
            </LinkButton>
            {acts}
          </div>
        )}
        {answer?.facts && <LookDetails facts={answer.facts} />}
      </div>
    </>
  )
}

function waysTo(owner: FileOwner, { path }: LookedFile, version: number | null) {
  if (version === null)
    return {
      show: fileUrls.show(owner, path),
      open: fileUrls.open(owner, path),
      download: fileUrls.download(owner, path),
    }
  const open = fileUrls.openVersion(owner, version)
  return { show: `${open}?show`, open, download: fileUrls.downloadVersion(owner, version) }
}

function Waiting() {
  return <p className="grid h-full place-content-center p-6 text-muted">Henter...</p>
}

type DocumentProps = {
  owner: FileOwner
  file: LookedFile
  /** Where its bytes are. */
  address: string
  at: string
  hasThumbnail: boolean
  onRead: () => void
}

/** Shows the file as the browser does, with its thumbnail until it has come. */
function ShownDocument({ owner, file, address, at, hasThumbnail, onRead }: DocumentProps) {
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming')
  const isDragged = useFileDrag()
  const way = wayToShow(file)
  // Chrome on Android and some others cannot show it.
  const isShown = way !== null && (way !== 'pdf' || navigator.pdfViewerEnabled)
  const thumbnail = hasThumbnail && state === 'coming' && (
    <img src={fileUrls.thumbnail(owner, file.id)} alt="" className={isShown ? 'opacity-60' : 'p-4 pb-24'} />
  )

  function onLoad(): void {
    setState('there')
    onRead()
  }

  if (!isShown || state === 'failed')
    return (
      <>
        {thumbnail}
        <div
          className="absolute inset-x-0 bottom-0 grid gap-1 p-6 text-center"
          data-state={hasThumbnail ? undefined : 'alone'}
        >
          <p className="font-medium">
            {state === 'failed' ? 'Filen kunne ikke vises.' : 'Filen kan ikke vises her.'}
          </p>
          <p className="text-muted">
            {way === 'pdf'
              ? 'Åbn den i en ny fane, eller hent den.'
              : 'Hent den, og åbn den på din computer.'}
          </p>
        </div>
      </>
    )
  return (
    <>
      {state === 'coming' && (hasThumbnail ? thumbnail : <Waiting />)}
      {way === 'picture' ? (
        <img src={address} alt={file.name} onLoad={onLoad} onError={() => setState('failed')} />
      ) : (
        <iframe
          src={way === 'pdf' ? `${address}${at === '' ? '#' : `${at}&`}view=FitH&navpanes=0` : address}
          title={file.name}
          // Text needs no rights at all. The viewer of PDFs does not start in a sandbox.
          sandbox={way === 'text' ? '' : undefined}
          className={isDragged ? 'is-passed' : state === 'coming' && hasThumbnail ? 'opacity-0' : ''}
          onLoad={onLoad}
        />
      )}
    </>
  )
}

const DRAGS = ['dragenter', 'dragleave', 'drop', 'dragend'] as const

/**
 * Whether files are dragged over the page: a document in the panel would take the drop, and the browser would leave the
 * page.
 */
function useFileDrag(): boolean {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const listen = (event: DragEvent) =>
      setDragged(event.type === 'dragenter' || (event.type === 'dragleave' && event.relatedTarget !== null))
    for (const type of DRAGS) addEventListener(type, listen)
    return () => {
      for (const type of DRAGS) removeEventListener(type, listen)
    }
  }, [])
  return isDragged
}
