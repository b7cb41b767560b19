import { droppedFiles } from './dropped-files.ts'
import { carryTo } from '../basic/next-page.ts'
import { showToast } from '../overlay/toasts.ts'

/** A place for dropped files on a page without a dropzone: the form that takes them, and its name. */
export type DropTo = { address: string; name: string }

/** The attribute of the element that marks the place. */
export function dropTarget(to: DropTo | null) {
  return to ? { 'data-drop-address': to.address, 'data-drop-name': to.name } : {}
}

type Place = DropTo & { element: HTMLElement }

const DRAGS = ['dragenter', 'dragover', 'dragleave', 'drop'] as const

let over: Place | null = null
const listeners = new Set<() => void>()

/** Returns the place where the dragged files would land, or null. */
export const placeOver = () => over
export const noPlace = () => null

export function onPlaceOver(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setOver(next: Place | null): void {
  if (over?.element === next?.element) return
  over?.element.removeAttribute('data-drop-over')
  over = next
  next?.element.setAttribute('data-drop-over', '')
  for (const listener of listeners) listener()
}

/** Takes files that miss every dropzone: the browser would leave the page and open them. */
export function catchDrops(whyNot: string): () => void {
  function onDrag(event: DragEvent): void {
    const { dataTransfer: transfer } = event
    if (event.type === 'dragleave') return event.relatedTarget === null ? setOver(null) : undefined
    if (event.defaultPrevented || !transfer?.types.includes('Files')) return setOver(null)
    event.preventDefault()
    // A picture dragged out of a page looks like a file, but is not meant as one.
    if (transfer.types.includes('text/html')) return setOver(null)
    transfer.dropEffect = 'copy'
    const place = placeOf(event.target)
    if (event.type !== 'drop') return setOver(place)
    setOver(null)
    if (place) return void carry(transfer, place)
    return showToast(whyNot, { kind: 'fault' })
  }

  for (const type of DRAGS) addEventListener(type, onDrag)
  return () => {
    for (const type of DRAGS) removeEventListener(type, onDrag)
    setOver(null)
  }
}

function placeOf(target: EventTarget | null): Place | null {
  if (!(target instanceof Element) || document.querySelector('dialog:modal')) return null
  const element = target.closest<HTMLElement>('[data-drop-address]')
  if (!element) return null
  return { element, address: element.dataset.dropAddress!, name: element.dataset.dropName! }
}

async function carry(transfer: DataTransfer, { address }: Place): Promise<void> {
  const { files, unread } = await droppedFiles(transfer)
  if (unread.length > 0) showToast(`Kunne ikke læses: ${unread.join(', ')}`, { kind: 'fault' })
  if (files.length === 0) return
  // The page's own question before leaving is asked here too.
  if (!dispatchEvent(new Event('beforeunload', { cancelable: true })))
    return showToast('Gem først, og slip så filerne igen.', { kind: 'fault' })
  if (!(await carryTo(address, files)))
    showToast('Filerne kunne ikke tages imod. Intet er uploadet. Prøv igen om lidt.', { kind: 'fault' })
}
